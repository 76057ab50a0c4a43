import { expect } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '../../src/errors.ts';
import type { Workplace } from './cli.ts';
import { expectConformance } from './conformance.ts';
import { HttpClient } from 'test-support/http-client.ts';
import { reportFault, UNHARMED } from './ledger.ts';
import { Histories } from './linearizability.ts';
import { errorCode, NOTHING_DONE, OUTCOME_UNKNOWN, OVERLOADED, type Stock } from './stock.ts';

/** Of the plants, this many are asked for far more often than the others. */
const HOT = 10;
/** A pause of a client that is refused, and of the imports, in milliseconds. */
const PAUSE = 20;

export interface Crowd {
  readonly clients: number;
  /** Deletes in all; where there are imports, or more until two of them have ended. */
  readonly deletes: number;
  /** Plants of each import; another import begins when one has ended. 0: no imports. */
  readonly importSize: number;
}

/** A service that clients reach, whichever process it is at the moment. */
interface Reachable {
  readonly port: number;
  /** Resolves with the time after which the process that runs now can do nothing more. */
  readonly ended: () => Promise<number>;
}

interface Outcomes {
  readonly histories: Histories;
  /** How often each status was answered; of a 503 the code of the error; 0 without an answer. */
  readonly answers: Readonly<Record<number, number>>;
  readonly imports: number;
}

/**
 * Deletes plants at random from many clients at once, the same ones again and again, while the
 * command line imports them again.
 * @param plants the crowd's plants, all in the database.
 * @param onProgress is told the number of deletes so far, before each.
 */
export async function contend(
  place: Workplace,
  { ids, token, env }: Stock,
  service: Reachable,
  crowd: Crowd,
  onProgress: (deletes: number) => void = () => undefined,
): Promise<Outcomes> {
  const histories = new Histories(ids);
  const answers: Record<number, number> = {};
  const http = new HttpClient(service.port, { keepAlive: true });
  const headers = { authorization: `Bearer ${token}` };
  let deletes = 0;
  let imports = 0;
  let last = 0;
  let hasEnded = false;

  function isOver(): boolean {
    return hasEnded || (deletes >= crowd.deletes && (crowd.importSize === 0 || imports > 1));
  }

  function draw(): bigint {
    const kind = Math.random();
    // A third of them for the plant that another client has just asked for.
    if (kind > 0.33) last = Math.floor(Math.random() * (kind < 0.5 ? HOT : ids.length));
    return ids[last] ?? 0n;
  }

  async function client(): Promise<void> {
    while (!isOver()) {
      const id = draw();
      const from = performance.now();
      const answer = await http.request('DELETE', `/plants/${id}`, { headers }).catch(connectionFailure);
      const to = performance.now();
      // The port is closed: the request was never sent.
      if (answer === 'ECONNREFUSED') {
        await pause(PAUSE);
        continue;
      }
      onProgress(++deletes);
      const status = typeof answer === 'string' ? 0 : answer.status === 503 ? errorCode(answer.text) : answer.status;
      if (typeof answer !== 'string' && answers[status] === undefined) {
        // Node gives an array for Set-Cookie only, which the service never sends.
        expectConformance('DELETE', `/plants/${id}`, { ...answer, headers: answer.headers as Record<string, string> });
      }
      answers[status] = (answers[status] ?? 0) + 1;
      if (status === 204) histories.note(id, 'deleted', from, to);
      else if (status === 404) histories.note(id, 'missing', from, to);
      // The process that has it can do it until its end.
      else if (status === 0 || status === OUTCOME_UNKNOWN) histories.note(id, 'maybe deleted', from, service.ended());
      else if (status === NOTHING_DONE || status === OVERLOADED) await pause(PAUSE);
      else throw new Error(`DELETE ${id} was answered ${status}`);
    }
  }

  async function importAgain(): Promise<void> {
    while (crowd.importSize > 0 && !isOver()) {
      const chosen = new Set(ids.slice(0, HOT));
      while (chosen.size < crowd.importSize) chosen.add(ids[Math.floor(Math.random() * ids.length)] ?? 0n);
      const from = performance.now();
      const input = `${[...chosen].join('\n')}\n`;
      const outcome = await place.run(['plants', 'import', '-'], { env, input });
      const to = performance.now();
      expect(outcome).toMatchObject({ code: 0, stderr: '' });
      for (const id of chosen) histories.note(id, 'inserted', from, to);
      imports++;
      await pause(PAUSE);
    }
  }

  try {
    await Promise.all([importAgain(), ...Array.from({ length: crowd.clients }, client)]);
  } finally {
    // Should one have failed, the others end too.
    hasEnded = true;
    http.close();
  }
  return { histories, answers, imports };
}

/** Reports what was done, and expects an order of the operations that explains every answer. */
export async function expectOrder(fault: string, plants: Stock, { histories, answers }: Outcomes): Promise<void> {
  const impossible = await histories.impossible(await plants.plants());
  const counts = Object.entries(answers).map(([status, count]) => `${count} × ${status}`);
  const happened = `${counts.join(', ')}; ${histories.count} operations are linearizable`;
  await reportFault({ fault, happened, ...UNHARMED, wronglyAcknowledged: impossible.size });
  expect(impossible).toEqual(new Map());
}

/** The code of a failed connection; what else went wrong is a failure of the test. */
function connectionFailure(error: unknown): string {
  const code = codeOf(error);
  if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code)) return code;
  throw error;
}
