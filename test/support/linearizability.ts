/**
 * The outcome of an operation on one plant, as a client saw it: deleted (204), missing (404),
 * inserted (an import has ended), there in the end, or, without an answer, maybe deleted.
 */
export type Outcome = 'deleted' | 'missing' | 'inserted' | 'there' | 'maybe deleted';

export interface Operation {
  readonly outcome: Outcome;
  readonly from: number;
  /** When it was answered; of a possible one, the last moment at which it can take effect. */
  readonly to: number;
}

/**
 * True when the history of a plant is linearizable (Herlihy and Wing, "Linearizability", 1990).
 * Plants are judged one by one, because linearizability is local (theorem 1). The search is that
 * of Wing and Gong (1993), with a memory of states that failed.
 * @param wasThere whether the plant was there at first.
 */
export function isLinearizable(history: readonly Operation[], wasThere: boolean): boolean {
  const operations = [...history].sort((a, b) => a.from - b.from);
  const numbers = new Map(operations.map((operation, number) => [operation, number]));
  const hopeless = new Set<string>();

  function search(remaining: readonly Operation[], isThere: boolean): boolean {
    if (remaining.every(isOptional)) return true;
    const state = `${isThere}:${remaining.map((operation) => numbers.get(operation)).join()}`;
    if (hopeless.has(state)) return false;
    for (const [operation, after] of choices(remaining, isThere)) {
      if (search(behind(operation, remaining), after)) return true;
    }
    hopeless.add(state);
    return false;
  }

  return search(operations, wasThere);
}

/** The operations that can be next, and whether the plant is there after each. */
function choices(remaining: readonly Operation[], isThere: boolean): [Operation, boolean][] {
  // Whatever was answered before an operation was asked for comes before it.
  const end = Math.min(...remaining.filter((operation) => !isOptional(operation)).map(({ to }) => to));
  const possible = remaining
    .filter(({ from }) => from <= end)
    .map((operation) => [operation, effect(operation, isThere)] as const)
    .filter((choice): choice is [Operation, boolean] => choice[1] !== undefined);
  // An observation can come first, the earliest before the others...
  const observation = possible.find(([operation]) => isObservation(operation));
  if (observation === undefined) return possible;
  // ...unless it comes too late for something that may have been done before it.
  if (behind(observation[0], remaining).length === remaining.length - 1) return [observation];
  return [observation, ...possible.filter(([operation]) => !isObservation(operation))];
}

/** Whether the plant exists afterwards; undefined when this outcome is impossible. */
function effect({ outcome }: Operation, isThere: boolean): boolean | undefined {
  switch (outcome) {
    case 'deleted':
    case 'maybe deleted':
      return isThere ? false : undefined;
    case 'missing':
      return isThere ? undefined : false;
    case 'there':
      return isThere ? true : undefined;
    case 'inserted':
      return true;
  }
}

/** What remains behind an operation, without what can only have been done before it. */
function behind(operation: Operation, remaining: readonly Operation[]): Operation[] {
  return remaining.filter(
    (candidate) => candidate !== operation && !(isOptional(candidate) && candidate.to < operation.from),
  );
}

function isOptional({ outcome }: Operation): boolean {
  return outcome === 'maybe deleted';
}

function isObservation({ outcome }: Operation): boolean {
  return outcome === 'missing' || outcome === 'there';
}

/** An operation whose last moment may not be known yet. */
type Noted = Omit<Operation, 'to'> & { readonly to: number | Promise<number> };

/** What was done to each plant, by all clients, by one clock. */
export class Histories {
  readonly #initial: ReadonlySet<bigint>;
  readonly #operations = new Map<bigint, Noted[]>();
  /** How many operations were noted. */
  count = 0;

  constructor(initial: Iterable<bigint>) {
    this.#initial = new Set(initial);
  }

  /** @param to when it was answered; without an answer, when it can have been done at last. */
  note(id: bigint, outcome: Outcome, from: number, to: number | Promise<number>): void {
    const known = this.#operations.get(id);
    if (known === undefined) this.#operations.set(id, [{ outcome, from, to }]);
    else known.push({ outcome, from, to });
    this.count++;
  }

  /** The plants that cannot have had their history, with it. @param plants those in the end. */
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
