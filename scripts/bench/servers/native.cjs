/**
 * Loaded before a server that runs on another Node than npm installed for: its better-sqlite3 is the one that was compiled for
 * that Node.
 */
const dlopen = process.dlopen.bind(process);
process.dlopen = (module, file, ...rest) =>
  dlopen(module, file.endsWith('better_sqlite3.node') ? process.env.BENCH_NATIVE : file, ...rest);
