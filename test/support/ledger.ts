import { appendFile } from 'node:fs/promises';

/** What a fault did to the plants; all must be 0. */
export interface Damage {
  /** Plants that were acknowledged as deleted (204) and are there. */
  readonly lost: number;
  /** Plants that are gone without a delete, or although the answer said that nothing was done. */
  readonly wronglyDeleted: number;
  /** A second 204 for one plant, or a 404 for one that was there. */
  readonly wronglyAcknowledged: number;
}

/** No damage at all: what every fault has to leave. */
export const UNHARMED: Damage = { lost: 0, wronglyDeleted: 0, wronglyAcknowledged: 0 };

/** Records deletes and their answers, to compare them with what the store holds in the end. */
export class Ledger {
  readonly #initial: ReadonlySet<bigint>;
  /** The answers to the deletes of each plant; 0 stands for none. */
  readonly #answers = new Map<bigint, number[]>();

  constructor(initial: Iterable<bigint>) {
    this.#initial = new Set(initial);
  }

  /** Notes the answer to a delete; 0 when there was none. */
  note(id: bigint, status: number): void {
    this.#answers.set(id, [...(this.#answers.get(id) ?? []), status]);
  }

  /** How often each status was answered; 0 stands for no answer. */
  statuses(): Readonly<Record<number, number>> {
    const counts: Record<number, number> = {};
    for (const status of [...this.#answers.values()].flat()) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  /** Compares with the plants that are there now. @param unknown answers that leave it open. */
  damage(now: Iterable<bigint>, unknown: readonly number[]): Damage {
    const there = new Set(now);
    let [lost, wronglyDeleted, wronglyAcknowledged] = [0, 0, 0];
    for (const [id, statuses] of this.#answers) {
      const acknowledged = statuses.filter((status) => status === 204).length;
      const maybe = statuses.some((status) => unknown.includes(status));
      if (acknowledged > 0 && there.has(id)) lost++;
      if (acknowledged > 1 || (acknowledged > 0 && !this.#initial.has(id))) wronglyAcknowledged++;
      if (statuses.includes(404) && this.#initial.has(id) && acknowledged === 0 && !maybe) wronglyAcknowledged++;
    }
    for (const id of this.#initial) {
      if (there.has(id)) continue;
      const statuses = this.#answers.get(id) ?? [];
      if (!statuses.includes(204) && !statuses.some((status) => unknown.includes(status))) wronglyDeleted++;
    }
    return { lost, wronglyDeleted, wronglyAcknowledged };
  }
}

/** A row of the table that `npm run test:faults` prints. */
export interface FaultRow extends Damage {
  /** What was done to the service. */
  readonly fault: string;
  /** What came of it, as measured, in a few words. */
  readonly happened: string;
}

/** Adds a row to the table; one that says so for a fault that this machine cannot provoke. */
export async function reportFault(row: FaultRow | { readonly fault: string; readonly skipped: string }): Promise<void> {
  const file = process.env['FAULTS_FILE'];
  // Set by scripts/test-faults.ts; a single file can be run without it.
  if (file !== undefined) await appendFile(file, `${JSON.stringify(row)}\n`);
}
