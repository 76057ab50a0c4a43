import { readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { once, EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** How long to wait for the rest of an edit that writes several files, in milliseconds. */
const SETTLING = 50;

/** The edits of the YAML files of a folder, and of the sources below some of its folders. */
export class Edits {
  readonly #events = new EventEmitter();
  #isEdited = false;

  /** @param folder with a slash at its end. @param sources the folders in it with code. */
  constructor(folder: string, sources: readonly string[]) {
    this.#follow(folder, '.yaml');
    for (const name of sources) this.#followAll(`${folder}${name}`);
  }

  /** Whether there was an edit since next() resolved. */
  get hasNext(): boolean {
    return this.#isEdited;
  }

  /** Resolves after the next edit, or at once after an edit since the last call. */
  async next(): Promise<void> {
    if (!this.#isEdited) await once(this.#events, 'edit');
    await pause(SETTLING);
    this.#isEdited = false;
  }

  /** Follows the sources of a folder and of those in it. */
  #followAll(folder: string): void {
    this.#follow(folder, '.ts', (added) => {
      this.#followAll(added);
    });
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) this.#followAll(join(folder, entry.name));
    }
  }

  /**
   * Editors replace a file by renaming another one to it, which a recursive watcher on Linux
   * notices only once: each folder is watched by itself.
   */
  #follow(folder: string, extension: string, onFolder: (added: string) => void = () => undefined): void {
    watch(folder, (event, name) => {
      if (name === null) return;
      const path = join(folder, name);
      if (event === 'rename' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) onFolder(path);
      if (!name.endsWith(extension)) return;
      this.#isEdited = true;
      this.#events.emit('edit');
    });
  }
}
