import { Session, type Profiler } from 'node:inspector';

/** The code whose steps are counted: the library's, and that of what compiles schemas. */
const COUNTED =
  /packages\/openapi-exact[\w-]*\/(?:src|dist)\/|node_modules\/(?:ajv|express-openapi-validator|openapi-typescript)\//;

// From the start: V8 counts the blocks of a function only if it is compiled after that.
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/**
 * Counts how often each block of code runs while a task does: unlike time, it is the same each time
 * and on each machine. One task of a process is counted at a time.
 */
export async function stepsOf(task: () => unknown): Promise<number> {
  await stepsSince();
  await task();
  return stepsSince();
}

/** The steps since the last call. */
function stepsSince(): Promise<number> {
  return new Promise((resolve, reject) => {
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) reject(error);
      else resolve(result.filter(({ url }) => COUNTED.test(url)).reduce((sum, script) => sum + blocksRun(script), 0));
    });
  });
}

function blocksRun({ functions }: Profiler.ScriptCoverage): number {
  return functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);
}
