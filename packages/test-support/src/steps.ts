import { Session, type Profiler } from 'node:inspector/promises';

/** The code whose steps are counted: the library's, and that of what compiles schemas. */
const COUNTED =
  /packages\/openapi-exact[\w-]*\/(?:src|dist)\/|node_modules\/(?:ajv|express-openapi-validator|openapi-typescript)\//;

/**
 * Counts how often each block of code runs while a task does: unlike time, it is the same each time
 * and on each machine. One task of a process is counted at a time.
 */
export async function stepsOf(task: () => unknown): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await task();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Profiler.stopPreciseCoverage');
    return result.filter(({ url }) => COUNTED.test(url)).reduce((steps, script) => steps + blocksRun(script), 0);
  } finally {
    session.disconnect();
  }
}

function blocksRun({ functions }: Profiler.ScriptCoverage): number {
  return functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);
}
