import Sequencer from '@jest/test-sequencer';

/**
 * The files that take longest, which begin first: one that began last would keep one core busy, and the others idle. Jest knows how long files
 * took in the last run, but not in the first.
 */
const LONGEST = [
  'next-operation',
  'scripts/dev',
  'scripts/contract-diff',
  'fuzz',
  'docs/browser',
  'scripts/generate',
].map((name) => `/test/${name}`);

/** The order of the test files. Jest loads it as JavaScript. */
export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const rank = ({ path }) => {
      const index = LONGEST.findIndex((name) => path.replaceAll('\\', '/').includes(name));
      return index === -1 ? LONGEST.length : index;
    };
    return (await super.sort(tests)).sort((a, b) => rank(a) - rank(b));
  }
}
