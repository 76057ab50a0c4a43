import { MIGRATIONS as DELIVERED } from './delivered-migrations.ts';

export const MIGRATIONS: typeof DELIVERED = [
  ...DELIVERED,
  () => 'ALTER TABLE plants ADD COLUMN name text',
  ({ int64 }) => `ALTER TABLE plants ADD COLUMN price ${int64}`,
  () => 'ALTER TABLE plants ADD COLUMN note text',
  ({ int64 }) => `ALTER TABLE plants ADD COLUMN version ${int64} NOT NULL DEFAULT 1`,
  () => 'ALTER TABLE plants ADD COLUMN label text',
];
