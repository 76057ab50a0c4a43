import { appendFile } from 'node:fs/promises';
import type { Damage } from './ledger.ts';

/** A row of the table that `npm run test:faults` prints. */
export interface FaultRow extends Damage {
  /** What was done to the service. */
  readonly fault: string;
  /** What came of it, as measured, in a few words. */
  readonly happened: string;
}

/** Adds a row to the table; one that says so for a fault that this machine cannot provoke. */
export async function reportFault(row: FaultRow | { readonly fault: string; readonly skipped: string }): Promise<void> {
  const file = process.env['FAULTS_FILE'];
  // Set by scripts/test-faults.ts; a single file can be run without it.
  if (file !== undefined) await appendFile(file, `${JSON.stringify(row)}\n`);
}
