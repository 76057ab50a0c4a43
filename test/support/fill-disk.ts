import { expect } from '@jest/globals';
import { closeSync, openSync, writeSync } from 'node:fs';
import { codeOf } from '../../src/errors.ts';

/** Fills the disk of a file to its last byte. */
export function fillDisk(file: string): void {
  const descriptor = openSync(file, 'w');
  // First in large pieces, which is faster.
  for (const size of [1_048_576, 4_096]) {
    const piece = Buffer.alloc(size, 1);
    try {
      for (;;) writeSync(descriptor, piece);
    } catch (error) {
      expect(codeOf(error)).toBe('ENOSPC');
    }
  }
  closeSync(descriptor);
}
