import { messageOf } from 'openapi-exact/contract';
import { watch as watchFolder } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** How long to wait for the rest of an edit that writes several files, in milliseconds. */
const SETTLING = 50;

/**
 * Runs a task now and after each edit of its files, until the process ends.
 * @param files those of the first run. @param task returns the files that it read.
 */
export async function watch(files: readonly string[], task: () => Promise<readonly string[]>): Promise<never> {
  let watched = files;
  for (;;) {
    const edits = new Edits();
    // Before it runs, since an edit during the task needs another run.
    edits.follow(watched);
    try {
      watched = await task();
    } catch (error) {
      console.error(messageOf(error));
    }
    edits.follow(watched);
    await edits.next;
    edits.close();
    await pause(SETTLING);
  }
}

/** Edits of some files. Editors replace a file, so their folders are watched. */
class Edits {
  /** Resolves at the first edit. */
  readonly next: Promise<void>;
  readonly #closers = new Map<string, () => void>();
  readonly #paths = new Set<string>();
  #resolve: () => void = () => undefined;

  constructor() {
    this.next = new Promise((done) => {
      this.#resolve = done;
    });
  }

  follow(files: readonly string[]): void {
    for (const file of files) {
      const path = resolve(file);
      const folder = dirname(path);
      this.#paths.add(path);
      if (this.#closers.has(folder)) continue;
      const watcher = watchFolder(folder, (_event, name) => {
        if (name === null || this.#paths.has(resolve(folder, name))) this.#resolve();
      });
      this.#closers.set(folder, () => {
        watcher.close();
      });
    }
  }

  close(): void {
    for (const close of this.#closers.values()) close();
  }
}
