import { commandLine, positiveNumber } from 'test-support/command-line.ts';
import { messageOf } from 'openapi-exact/contract';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { callMock } from './call-mock.ts';

const program = commandLine(
  'npm run test:mock --',
  'Serves the mock of each contract in a folder, and calls all of its operations with the client.',
)
  .argument('<folder>', 'the contracts, in folders of any depth')
  .option('--most <number>', 'at most so many operations of each contract, spread over it', positiveNumber)
  .parse();
const { most = Infinity } = program.opts<{ readonly most?: number }>();
const [folder = ''] = program.args;

const total = { operations: 0, answered: 0, refused: 0, unknown: 0, contracts: 0, notServed: 0 };
for (const name of (await readdir(folder, { recursive: true })).sort()) {
  if (!/\.(?:ya?ml|json)$/.test(name)) continue;
  try {
    const { operations, answered, refused, unknown } = await callMock(join(folder, name), most);
    total.contracts++;
    total.operations += operations;
    total.answered += answered;
    total.refused += refused.length;
    total.unknown += unknown.length;
    console.log(`${name}: ${answered} of ${operations} answered, ${unknown.length} without a known message`);
    for (const reason of refused) console.log(`  ${reason}`);
  } catch (error) {
    total.notServed++;
    console.log(`${name}: not served, ${messageOf(error).slice(0, 300)}`);
  }
}
console.log(JSON.stringify(total));
if (total.operations === 0 || total.refused > 0) process.exitCode = 1;
