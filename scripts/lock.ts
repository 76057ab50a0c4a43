import { spawnSync } from 'node:child_process';
import { commandLine } from 'test-support/command-line.ts';
import { amendLockFile } from './checks/lock-file.ts';

commandLine(
  'npm run lock --',
  'Writes package-lock.json for package.json, with the entries that npm leaves out. Run it after each change of a dependency.',
).parse();
const args = ['install', '--package-lock-only', '--ignore-scripts'];
process.exitCode = spawnSync('npm', args, { stdio: 'inherit' }).status ?? 1;
await amendLockFile();
