/**
 * Runs a script that has loaded its dependencies before it is needed: `prepared.ts SCRIPT MODULE…`
 * loads the modules, waits for the script's arguments, JSON on standard input, and runs it.
 */
import { text } from 'node:stream/consumers';

const [script = '', ...modules] = process.argv.slice(2);
await Promise.all(modules.map((name) => import(name)));
const given = await text(process.stdin);
// The process that prepared it has ended, or needs it no more.
if (given === '') process.exit();
// Safe: only scripts/dev/generator.ts writes it.
process.argv.splice(1, Infinity, script, ...(JSON.parse(given) as string[]));
await import(script);
