/**
 * The process of a WarmScript: `warm-script-process.ts SCRIPT MODULE…` loads the modules, and runs
 * the script for each line of standard input, its arguments in JSON. A script or module that cannot
 * be loaded ends it.
 */
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { FAILED, SUCCEEDED } from './warm-script.ts';

const [script = '', ...modules] = process.argv.slice(2);
await Promise.all(modules.map((name) => import(name)));
let runs = 0;
for await (const line of createInterface({ input: process.stdin })) {
  // Safe: WarmScript writes it.
  process.argv.splice(1, Infinity, script, ...(JSON.parse(line) as string[]));
  process.exitCode = 0;
  runs++;
  // Node.js runs a module once for each URL.
  await import(`${pathToFileURL(script).href}?run=${runs}`);
  for (const stream of [process.stdout, process.stderr]) stream.write(process.exitCode === 0 ? SUCCEEDED : FAILED);
}
