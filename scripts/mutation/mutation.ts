import { commandLine, positiveNumber } from 'test-support/command-line.ts';
import { messageOf } from '../../src/errors.ts';
import { mutantsByHand } from './by-hand.ts';
import { readEquivalent } from './equivalent.ts';
import { sample } from './mutant.ts';
import { operationMutants } from './operations.ts';
import { madeMutants, ROOM_NAMES } from './rooms.ts';
import { tryMutants, type Outcome } from './trials.ts';

interface Options {
  readonly only?: string;
  readonly sample: number;
  readonly all: boolean;
  readonly seed: string;
  readonly copies: number;
  readonly operations: boolean;
  readonly list: boolean;
}

const program = commandLine(
  'npm run test:mutation --',
  'Makes one mutant of the code after the other, in a copy, and shows which test notices. Exits 1 when one survives.',
)
  .option('--only <room>', `only mutants of a room: ${ROOM_NAMES.join(', ')}`)
  .option('--sample <number>', 'how many mutants: the seed draws as many of each room', positiveNumber, 200)
  .option('--seed <text>', 'draws other mutants', '1')
  .option('--all', 'all mutants, which takes a day', false)
  .option('--copies <number>', 'copies of the project that are mutated at the same time', positiveNumber, 2)
  .option('--operations', 'adds six operations to the copy, and makes mutants of these instead', false)
  .option('--list', 'shows the mutants without trying them', false)
  .parse();
const { only, sample: count, seed, all: isWhole, copies, operations, list } = program.opts<Options>();

if (only !== undefined && !ROOM_NAMES.includes(only)) {
  console.error(`error: there is no room '${only}': use one of ${ROOM_NAMES.join(', ')}`);
  process.exit(2);
}

const interruption = new AbortController();
// A terminal sends SIGINT to this process, and tsx passes it on once more.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    interruption.abort(new Error('Interrupted.'));
  });
try {
  process.exitCode = await run();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

/** @returns the exit code. */
async function run(): Promise<number> {
  const [made, added] = [[...(await madeMutants()), ...(await mutantsByHand())], await operationMutants()];
  const reasons = await readEquivalent([...made, ...added]);
  const all = operations ? added : made.filter(({ room }) => only === undefined || room === only);
  const mutants = sample(all, isWhole ? all.length : count, seed);
  if (list) {
    for (const { key } of mutants) console.log(key);
    return 0;
  }
  console.log(`${mutants.length} of ${all.length} mutants, seed ${seed}`);
  const sums = { killed: 0, equivalent: 0, survived: 0 };
  const report = ({ mutant, notice, seconds }: Outcome): void => {
    const reason = reasons.get(mutant.key);
    const fate = notice === undefined ? (reason === undefined ? 'survived' : 'equivalent') : 'killed';
    sums[fate]++;
    const why = notice ?? (reason === undefined ? 'SURVIVED' : `equivalent: ${reason}`);
    const name = mutant.key.slice(mutant.file.length + 2);
    console.log(`${mutant.file}:${mutant.line} ${name} (${seconds} s): ${why.slice(0, 160)}`);
  };
  await tryMutants(mutants, report, { copies, operations, interruption: interruption.signal });
  console.log(`${sums.killed} killed, ${sums.equivalent} equivalent, ${sums.survived} survived`);
  return sums.survived === 0 ? 0 : 1;
}
