import { INT64_MAX } from 'openapi-exact/int64';

/** Ids per page: pages avoid a long read transaction, which would delay SQLite's checkpoints. */
const PAGE = 10_000;
/** The first page is smaller, for readers of a few ids. */
const FIRST_PAGE = 100;

/**
 * All ids from `start` on, ascending.
 * @param read returns the first ids from `first` on, ascending, at most `limit`.
 */
export async function* inPages(
  start: bigint,
  read: (first: bigint, limit: number) => Promise<readonly bigint[]>,
): AsyncGenerator<bigint> {
  let page = await read(start, FIRST_PAGE);
  let last = page.at(-1);
  while (last !== undefined) {
    yield* page;
    page = last === INT64_MAX ? [] : await read(last + 1n, PAGE);
    last = page.at(-1);
  }
}
