import { watch } from 'node:fs';
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
    this.#follow(folder, false, '.yaml');
    for (const name of sources) this.#follow(`${folder}${name}`, true, '.ts');
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

  /** Editors replace a file by renaming another one to it, so the folder is watched. */
  #follow(folder: string, recursive: boolean, extension: string): void {
    watch(folder, { recursive }, (_event, name) => {
      if (name?.endsWith(extension) !== true) return;
      this.#isEdited = true;
      this.#events.emit('edit');
    });
  }
}
