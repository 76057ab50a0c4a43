import { setTimeout as pause } from 'node:timers/promises';
import { loadContract } from '../../src/contract/document/load.ts';
import { startStoreProcess } from '../support/store-process.ts';
import { casesOf, type Case } from './cases.ts';
import { checkExchange } from './check-exchange.ts';
import { exchange } from './exchange.ts';
import { createJudge } from './judge.ts';
import { watchLog } from './log-watch.ts';
import { StoreModel } from './model.ts';
import { watchResources, type Memory } from './resources.ts';
import { createStock } from './stock.ts';
import { Violation } from './violation.ts';

/** What to do, and for how long. */
export interface FuzzOptions {
  /** An integer: the same one draws the same cases. */
  readonly seed: number;
  readonly seconds: number;
  /** Connections at a time; by default as many as keep two cores busy. */
  readonly clients?: number;
  /** Is told each minute how far it is. */
  readonly onProgress?: (report: FuzzReport) => void;
}

/** What was sent and what came back. */
export interface FuzzReport {
  readonly connections: number;
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly memory: Memory;
}

const CLIENTS = 40;
const MINUTE = 60_000;
/** What the server has written to its log is read this much later at most, in milliseconds. */
const LOG_DELAY = 1_000;
/** Longest graceful shutdown of a server that refuses connections, in milliseconds. */
const PATIENCE = 15_000;

/**
 * Sends hostile bytes to the built server, and compares every response with the contract and
 * finally the store with the deletes that were sent with the valid token.
 * @throws Violation at the first thing that must not happen.
 */
export async function fuzz({ seed, seconds, clients = CLIENTS, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const contract = await loadContract(new URL('../../openapi.yaml', import.meta.url));
  const log = watchLog();
  // The limit for failed authentications would answer nearly everything in their place.
  const server = await startStoreProcess({ AUTH_FAILURES_PER_MINUTE: '0' }, log.read);
  const tokens = { valid: server.token, revoked: server.revokedToken };
  log.forbid(Object.values(tokens));
  const caseAt = casesOf(seed, tokens);
  const judge = createJudge(contract, Object.values(tokens));
  const stock = createStock(server);
  const model = new StoreModel();
  const statuses: Record<number, number> = {};
  /** The last cases that were begun: what ends the server is most likely among them. */
  const recent: Case[] = [];
  let connections = 0;
  let next = 0;
  let isOver = false;
  let violation: Violation | undefined;

  function fail(message: string, cases: readonly Case[]): void {
    violation ??= new Violation(
      message,
      cases.map(({ pieces }) => Buffer.concat(pieces)),
    );
  }
  const ended = server.ended.then((how) => {
    if (isOver && how === 0) return;
    fail(
      [
        `The server has ended: ${how === null ? 'a signal' : `exit code ${how}`}.`,
        log.objection() ?? '',
        server.errors(),
      ].join(' '),
      recent,
    );
  });

  async function client(): Promise<void> {
    while (!isOver && violation === undefined) {
      const index = next++;
      const one = caseAt(index);
      if (one === undefined) continue;
      await stock.until(index);
      if (recent.push(one) > 3 * clients) recent.shift();
      const result = await exchange(server.port, one);
      // Why, the end of the process says.
      if (result.outcome === 'refused') await Promise.race([ended, pause(PATIENCE)]);
      connections++;
      const found = checkExchange(one, result, judge);
      for (const status of found.statuses) statuses[status] = (statuses[status] ?? 0) + 1;
      // At PRI, the preface of HTTP/2, Node closes the connection without the pending responses.
      const isCertain = result.outcome === 'closed' && !Buffer.concat(one.pieces).includes('PRI');
      model.note(one, found.deleted, isCertain);
      if (found.problem !== undefined) fail(found.problem, [one]);
    }
  }

  /** Sends cases until the time is over or something is wrong. */
  async function attack(): Promise<FuzzReport> {
    await stock.until(0);
    const resources = await watchResources(server);
    const report = (): FuzzReport => ({ connections, statuses, memory: resources.memory() });
    const progress = setInterval(() => onProgress?.(report()), MINUTE);
    const ending = setTimeout(() => (isOver = true), seconds * 1000);
    try {
      await Promise.all(Array.from({ length: clients }, client));
      return report();
    } finally {
      isOver = true;
      clearTimeout(ending);
      clearInterval(progress);
      const growth = await resources.stop();
      if (growth !== undefined) fail(growth, []);
    }
  }

  /** Stops the server and looks at what it leaves behind. */
  async function inspect(): Promise<void> {
    const planted = await stock.settled();
    await server.stop();
    await ended;
    const objection = log.objection();
    if (objection !== undefined) fail(objection, []);
    const [first, ...more] = model.compare(await server.plants(), planted);
    if (first === undefined) return;
    // Its case is drawn once more: keeping the bytes of all would fill the memory.
    const guilty = caseAt(first.index);
    fail(`Case ${first.index}: ${first.problem} (${more.length} more like it).`, guilty === undefined ? [] : [guilty]);
  }

  /** Waits for the server's log, which may have the cause of an unexpected response. */
  async function explained(found: Violation): Promise<Violation> {
    await pause(LOG_DELAY);
    const objection = log.objection();
    if (objection === undefined) return found;
    return new Violation(
      `${objection} ${found.message}`,
      recent.map(({ pieces }) => Buffer.concat(pieces)),
    );
  }

  try {
    const report = await attack();
    if (violation === undefined) await inspect();
    if (violation !== undefined) throw await explained(violation);
    return report;
  } finally {
    await server.remove();
  }
}
