#!/usr/bin/env node
import { cacheCompiledCode } from './compile-cache.ts';

// Compiled TypeScript alone: what compiles it at run time has a cache of its own.
if (import.meta.url.endsWith('.js')) cacheCompiledCode(new URL('../node_modules/.cache/plant-store/', import.meta.url));
// Loaded afterwards, so that the cache serves all of it.
const { runProgram } = await import('./program.ts');

// Each write reports its own failure; this event is a duplicate.
process.stdout.on('error', () => undefined);

const code = await runProgram(process.argv.slice(2));
if (code !== undefined) process.exitCode = code;
