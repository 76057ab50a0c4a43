import { isLinearizable, type Operation, type Outcome } from './linearizability.ts';

/** An operation whose last moment may not be known yet. */
interface Noted {
  readonly outcome: Outcome;
  readonly from: number;
  readonly to: number | Promise<number>;
}

/** What was done to each plant, by all clients, by one clock. */
export class Histories {
  readonly #initial: ReadonlySet<bigint>;
  readonly #operations = new Map<bigint, Noted[]>();
  #count = 0;

  constructor(initial: Iterable<bigint>) {
    this.#initial = new Set(initial);
  }

  /** How many operations were noted. */
  get count(): number {
    return this.#count;
  }

  /** @param to when it was answered; without an answer, when it can have been done at last. */
  note(id: bigint, outcome: Outcome, from: number, to: number | Promise<number>): void {
    const known = this.#operations.get(id);
    if (known === undefined) this.#operations.set(id, [{ outcome, from, to }]);
    else known.push({ outcome, from, to });
    this.#count++;
  }

  /**
   * The plants that cannot have had their history, with it.
   * @param plants those that are there in the end.
   */
  async impossible(plants: Iterable<bigint>): Promise<Map<bigint, Operation[]>> {
    const there = new Set(plants);
    const now = performance.now();
    const found = new Map<bigint, Operation[]>();
    for (const id of new Set([...this.#initial, ...this.#operations.keys(), ...there])) {
      const noted = this.#operations.get(id) ?? [];
      const history = await Promise.all(noted.map(async ({ outcome, from, to }) => ({ outcome, from, to: await to })));
      history.push({ outcome: there.has(id) ? 'there' : 'missing', from: now, to: now });
      if (!isLinearizable(history, this.#initial.has(id))) found.set(id, history);
    }
    return found;
  }
}
