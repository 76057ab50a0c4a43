import Sequencer from '@jest/test-sequencer';

/** Tests that run scripts, compilers and browsers, for longer than all others. */
const DEAREST =
  /\/test\/(scripts|docs)\/|\/test\/(next-operation|document-commands)\.|\/openapi-exact\/test\/package\./;

/**
 * Jest's order of test files, in which its durations come from the last run. In a first run it
 * would start long tests in short files last: https://jestjs.io/docs/configuration#testsequencer-string
 */
export default class DearestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isDear = ({ path }) => DEAREST.test(path);
    return [...sorted.filter(isDear), ...sorted.filter((test) => !isDear(test))];
  }
}
