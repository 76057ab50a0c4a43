import { afterEach, beforeEach } from '@jest/globals';
import { workplace, type Workplace } from './workplace.ts';

/** A new workplace for each test of a file, removed behind it. */
export function workplaceOfEachTest(): Workplace {
  let current: Workplace;
  beforeEach(async () => {
    current = await workplace();
  });
  afterEach(() => current.remove());
  return {
    get folder() {
      return current.folder;
    },
    run: (...given) => current.run(...given),
    shell: (...given) => current.shell(...given),
    serve: (...given) => current.serve(...given),
    write: (...given) => current.write(...given),
    read: (...given) => current.read(...given),
    remove: () => current.remove(),
  };
}
