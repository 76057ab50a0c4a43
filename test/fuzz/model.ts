import type { Case } from './cases.ts';
import { placeOf, SLOTS, targetOf } from './ids.ts';

/** A case after which the store is not as it has to be. */
export interface Discrepancy {
  readonly index: number;
  readonly problem: string;
}

/** The allowed effects of the cases on the store. Each case has its own plants. */
export class StoreModel {
  /** By case: a bit for each of its targets that may be gone. */
  readonly #mayDelete: number[] = [];
  /** By case: its answers 204; negative, less one, where some may not have come. */
  readonly #deleted: number[] = [];

  /**
   * Notes what came of a case.
   * @param deleted the number of its answers 204.
   * @param isCertain true when all of its answers have come.
   */
  note({ index, mayDelete }: Pick<Case, 'index' | 'mayDelete'>, deleted: number, isCertain: boolean): void {
    let bits = 0;
    for (let slot = 0; slot < SLOTS; slot++) if (mayDelete.has(targetOf(index, slot))) bits |= 1 << slot;
    this.#mayDelete[index] = bits;
    this.#deleted[index] = isCertain ? deleted : -deleted - 1;
  }

  /**
   * Compares what may have become of the store with what it holds.
   * @param planted the cases whose plants were put in.
   */
  compare(plants: Iterable<bigint>, planted: number): Discrepancy[] {
    const targets = new Uint8Array(planted);
    const neighbours = new Uint8Array(planted);
    const found: Discrepancy[] = [];
    for (const id of plants) {
      const place = placeOf(id);
      const side = place?.isTarget === true ? targets : neighbours;
      if (place === undefined || place.index >= planted) {
        found.push({ index: -1, problem: `the plant ${id} was never planted` });
      } else {
        side[place.index] = (side[place.index] ?? 0) | (1 << place.slot);
      }
    }
    const all = (1 << SLOTS) - 1;
    for (let index = 0; index < planted; index++) {
      const gone = all & ~(targets[index] ?? 0);
      const problem =
        neighbours[index] === all
          ? this.#objection(index, gone)
          : 'a plant is gone that it did not ask for with a token';
      if (problem !== undefined) found.push({ index, problem });
    }
    return found;
  }

  #objection(index: number, gone: number): string | undefined {
    if ((gone & ~(this.#mayDelete[index] ?? 0)) !== 0) return 'a plant is gone that it did not ask for with the token';
    const deleted = this.#deleted[index] ?? 0;
    const [least, isCertain] = deleted < 0 ? [-deleted - 1, false] : [deleted, true];
    const count = gone.toString(2).replaceAll('0', '').length;
    if (count < least || (isCertain && count > least)) return `${least} answers were 204, and ${count} plants are gone`;
    return undefined;
  }
}
