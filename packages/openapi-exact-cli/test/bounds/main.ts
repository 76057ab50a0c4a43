import { commandLine, positiveNumber } from 'test-support/command-line.ts';
import { SCHEMA_KEYWORDS } from '../support/nested-schemas.ts';
import { growthsOf, MOST_GROWTH, servedNestings } from '../support/steps-of-analyses.ts';

/** Whole rounds of three keywords. */
const LEVELS = [3, 6, 12] as const;

const program = commandLine(
  'npm run test:bounds --',
  'Counts the steps of check, start and generate for schemas with every keyword in every other, three deep and deeper.',
)
  .option('--outer <keywords>', 'only nestings whose outermost keyword is one of these', SCHEMA_KEYWORDS.join())
  .option('--share <number>', 'only every so manyth nesting', positiveNumber, 1)
  .parse();
const { outer, share } = program.opts<{ outer: string; share: number }>();

let number = 0;
for (const first of outer.split(',')) {
  for (const second of SCHEMA_KEYWORDS) {
    const all = SCHEMA_KEYWORDS.map((third) => [first, second, third]).filter(() => number++ % share === 0);
    const served = await servedNestings(all, LEVELS[0]);
    console.log(`${first} > ${second}: ${served.length} served, ${all.length - served.length} refused`);
    if (served.length === 0) continue;
    for (const { analysis, steps, growth } of await growthsOf(served, LEVELS)) {
      const isBeyond = growth > MOST_GROWTH;
      if (isBeyond) process.exitCode = 1;
      console.log(`${isBeyond ? 'FAIL' : 'ok'}\t${analysis}\t${steps.join(' ')}\t\u00d7${growth.toFixed(2)}`);
    }
  }
}
