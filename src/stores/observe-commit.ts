/** Receives each commit, failed ones included: how many writes it carried, and its seconds. */
export type OnCommit = (writes: number, seconds: number) => void;

/** Runs a commit and reports it. */
export async function observeCommit<T>(onCommit: OnCommit, writes: number, commit: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await commit();
  } finally {
    onCommit(writes, (performance.now() - start) / 1000);
  }
}
