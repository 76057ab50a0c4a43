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

/**
 * Of ten requests seven delete a plant; the others get 404, 401 and 400.
 * @param run runs the command line. @returns what it printed.
 */
export async function createTraffic(
  run: (args: readonly string[], input?: string) => Promise<string>,
): Promise<Traffic> {
  const tokenOf = async (name: string): Promise<string> => (await run(['tokens', 'create', name])).trim();
  const [authorization, revoked] = [`Bearer ${await tokenOf('valid')}`, `Bearer ${await tokenOf('revoked')}`];
  await run(['tokens', 'revoke', 'revoked']);
  let planted = 0;
  let deleted = 0;
  let drawn = 0;
  let importing: Promise<void> | undefined;

  const plant = async (): Promise<void> => {
    const ids = Array.from({ length: STOCK }, (_, index) => idOf(planted + index));
    await run(['plants', 'import', '-'], ids.join('\n'));
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
          return deletion(idOf(planted - 1), 401, revoked);
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
