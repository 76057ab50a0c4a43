import Sequencer from '@jest/test-sequencer';

/** Tests that run scripts, compilers and browsers, for longer than all others. */
const DEAREST =
  /\/test\/scripts\/|\/test\/(next-operation|document-commands|deploy\/proxies|bounds|check|generate)\.|\/openapi-exact\/test\/(package|commonjs)\.|\/openapi-exact-reference\/test\//;

/** Tests that wait for servers and timeouts most of their time. */
const WAITING =
  /\/test\/(stores\/(postgres-(faults|hosts)|linearizability)|http\/(greedy-clients|server|probes)|service\/(database-unreachable|serve)|commands\/tokens)\./;

/**
 * Jest's order of test files. Jest uses the durations of the last run, which a first run lacks:
 * https://jestjs.io/docs/configuration#testsequencer-string
 */
export default class DearestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const waiting = sorted.filter(({ path }) => WAITING.test(path));
    const dear = sorted.filter(({ path }) => DEAREST.test(path));
    // One that waits beside two that compute.
    const first = dear.flatMap((test, index) => (index % 2 === 1 ? [test, ...waiting.splice(0, 1)] : [test]));
    return [...new Set([...first, ...waiting, ...sorted])];
  }
}
