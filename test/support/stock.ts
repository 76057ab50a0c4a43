import { expect } from '@jest/globals';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../src/errors.ts';
import { deletePlantAt, type Environment, type ServerProcess, type Workplace } from './cli.ts';
import { Ledger, reportFault, UNHARMED } from './ledger.ts';

/** Codes of the answers 503. */
export const NOTHING_DONE = 50300;
export const OUTCOME_UNKNOWN = 50301;
export const OVERLOADED = 50302;

/** 2^53, from where on every other id, when it goes through a double, hits its neighbour. */
const FIRST_ID = 2n ** 53n;

/** The time from one delete of a client to the next while a fault lasts, in milliseconds. */
const INTERVAL = 10;

type At = Pick<ServerProcess, 'url'>;

/** The filled database of a workplace, with a ledger of its deletes and their answers. */
export class Stock {
  readonly file: string;
  /** Names the database to the program. */
  readonly env: Environment;
  readonly token: string;
  /** The plants it held at first: neighbours all, ascending. */
  readonly ids: readonly bigint[];
  readonly ledger: Ledger;
  readonly #place: Workplace;

  constructor(place: Workplace, env: Environment, token: string, ids: readonly bigint[]) {
    this.file = join(place.folder, 'data', 'plants.db');
    this.env = env;
    this.token = token;
    this.ids = ids;
    this.ledger = new Ledger(ids);
    this.#place = place;
  }

  /** The text of a request to delete a plant. */
  request(id: bigint): string {
    return `DELETE /plants/${id} HTTP/1.1\r\nHost: plants\r\nAuthorization: Bearer ${this.token}\r\n\r\n`;
  }

  /** Deletes a plant and notes the answer. @returns its status, the code of a 503, or 0. */
  async delete({ url }: At, id: bigint): Promise<number> {
    const answer = await deletePlantAt(url, this.token, id).catch(requireNoAnswer);
    const status = answer?.status === 503 ? errorCode(answer.text) : (answer?.status ?? 0);
    this.ledger.note(id, status);
    return status;
  }

  /** Deletes plants from several clients at once; a client that gets no answer gives up. */
  async deleteAll(server: At, ids: Iterable<bigint>, clients = 16): Promise<void> {
    const queue = ids[Symbol.iterator]();
    const client = async (): Promise<void> => {
      for (let next = queue.next(); next.done !== true; next = queue.next()) {
        if ((await this.delete(server, next.value)) === 0) return;
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
  }

  /**
   * Deletes plants while a fault lasts, as unrelated clients.
   * @param ids plants that nothing else deletes; the next fault goes on behind the used ones.
   * @returns the longest that a delete took, in milliseconds.
   */
  async deleteDuring(fault: Promise<unknown>, server: At, ids: Iterator<bigint>, clients = 8): Promise<number> {
    let longest = 0;
    const wanted = plantsDuring(fault, ids);
    const client = async (): Promise<void> => {
      for (const id of wanted) {
        const start = performance.now();
        await this.delete(server, id);
        const took = performance.now() - start;
        longest = Math.max(longest, took);
        await pause(Math.max(0, INTERVAL - took));
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    await fault;
    return longest;
  }

  /** The plants it holds now, as `plants export` prints them. */
  async plants(): Promise<bigint[]> {
    const { code, stdout } = await this.#place.run(['plants', 'export'], { env: this.env });
    expect(code).toBe(0);
    return stdout.split('\n').slice(0, -1).map(BigInt);
  }

  /**
   * Reports a fault, what was answered and what was measured, and expects that it harmed no plant.
   * @param unknown the answers after which a plant may be gone; none by default.
   */
  async expectUnharmed(fault: string, unknown: readonly number[] = [], ...measured: readonly string[]): Promise<void> {
    const damage = this.ledger.damage(await this.plants(), unknown);
    const answers = Object.entries(this.ledger.statuses()).map(([status, times]) => `${times} × ${status}`);
    await reportFault({ fault, happened: [answers.join(', '), ...measured].join('; '), ...damage });
    expect(damage).toEqual(UNHARMED);
  }
}

/** Fills the database that `env` names, by default a SQLite file, with this many plants. */
export async function stock(place: Workplace, count: number, env: Environment = {}): Promise<Stock> {
  const ids = Array.from({ length: count }, (_, index) => FIRST_ID + BigInt(index));
  const { stdout } = await place.run(['tokens', 'create', 'faults'], { env });
  expect(await place.run(['plants', 'import', '-'], { env, input: `${ids.join('\n')}\n` })).toMatchObject({ code: 0 });
  return new Stock(place, env, stdout.trim(), ids);
}

/** Treats a failed connection as no answer; every other error fails the test. */
function requireNoAnswer(error: unknown): undefined {
  if (/^(fetch failed|terminated)$/.test(messageOf(error))) return undefined;
  throw error;
}

/** The code in the contract's `Error` object, which deletePlantAt has held against the contract. */
export function errorCode(text: string): number {
  return (JSON.parse(text) as { error: number }).error;
}

/** Every other plant, so that each delete has neighbours that must live. */
export function everyOther(ids: readonly bigint[]): bigint[] {
  return ids.filter((_, index) => index % 2 === 1);
}

/** The next plants, for as long as a fault lasts; several clients may share them. */
export function plantsDuring(fault: Promise<unknown>, ids: Iterator<bigint>): Iterable<bigint> {
  let isOver = false;
  const end = (): boolean => (isOver = true);
  void fault.then(end, end);
  return {
    *[Symbol.iterator](): Generator<bigint> {
      while (!isOver) {
        const next = ids.next();
        if (next.done === true) throw new Error('The fault lasts longer than there are plants.');
        yield next.value;
      }
    },
  };
}
