import type { StoreProcess } from '../support/store-process.ts';
import type { PlannedRequest } from './load.ts';

/** Requests of all common kinds, whose answers are known. */
export interface Traffic {
  /** The next request; undefined while an import replaces plants that have run out. */
  readonly next: () => PlannedRequest | undefined;
  /** The plants that must be there after the last response. */
  readonly left: () => number;
  /** Resolves when no plants are being put in. */
  readonly settled: () => Promise<void>;
}

/** Plants that one import puts in; the next one begins when half of them are gone. */
const STOCK = 50_000;
/** Plants lie this far apart, so that each has neighbours that are missing. */
const STEP = 2n;
const FIRST = 2n ** 53n;

/** Of ten requests seven delete a plant; the others get 404, 401 and 400. */
export async function createTraffic(server: StoreProcess): Promise<Traffic> {
  const authorization = `Bearer ${server.token}`;
  let planted = 0;
  let deleted = 0;
  let drawn = 0;
  let importing: Promise<void> | undefined;

  function* stock(): Generator<bigint> {
    for (let index = planted; index < planted + STOCK; index++) yield idOf(index);
  }
  const plant = async (): Promise<void> => {
    await server.plant(stock());
    planted += STOCK;
  };
  const deletion = (id: bigint | string, status: number, token = authorization): PlannedRequest => ({
    method: 'DELETE',
    path: `/plants/${id}`,
    headers: { authorization: token },
    status,
  });

  await plant();
  return {
    next: () => {
      if (planted - deleted < STOCK / 2) importing ??= plant().finally(() => (importing = undefined));
      switch (drawn++ % 10) {
        case 0:
          return deletion(idOf(deleted) + 1n, 404);
        case 1:
          return deletion(idOf(planted - 1), 401, `Bearer ${server.revokedToken}`);
        case 2:
          return deletion(`${idOf(planted - 1)}.0`, 400);
        default:
          return deleted < planted ? deletion(idOf(deleted++), 204) : undefined;
      }
    },
    left: () => planted - deleted,
    settled: async () => {
      await importing;
    },
  };
}

function idOf(index: number): bigint {
  return FIRST + BigInt(index) * STEP;
}
