import { InvalidArgumentError } from 'commander';
import { commandLine, integer, positiveNumber } from 'test-support/command-line.ts';

/**
 * Processor time per delete in microseconds, as docs/scaling.md has it: what the service needs,
 * with SQLite included, and a PostgreSQL server that takes the writes.
 */
const SERVICE = 57;
const POSTGRES = 13;
/** The part of a processor that is planned for; the rest is for peaks and for a failover. */
const UTILISATION = 0.6;

/** A number of zones of which one may be lost, or 1. */
function zoneCount(text: string): number {
  const zones = integer(text);
  if (zones === 2) throw new InvalidArgumentError('One of two zones has the majority: without it nothing is written.');
  if (zones < 1) throw new InvalidArgumentError('There is at least one zone.');
  return zones;
}

/** A number with its noun. */
function counted(number: number, noun: string, plural = 's'): string {
  return `${number} ${noun}${number === 1 ? '' : plural}`;
}

/** The processor cores for deletes at a rate, when one of several zones may be lost. */
function coresPerZone(deletes: number, microseconds: number, zones: number): number {
  const cores = (deletes * microseconds) / 1e6 / UTILISATION;
  return Math.ceil(cores / Math.max(1, zones - 1));
}

const { deletes, zones, cores } = commandLine(
  'npm run scaling --',
  'Prints the processes and database servers for a load, with one zone lost. docs/scaling.md has the model.',
)
  .option('--deletes <number>', 'deletes a second at the peak', positiveNumber, 10_000)
  .option('--zones <number>', '1, or from 3 on: one of them may be lost', zoneCount, 3)
  .option('--cores <number>', 'cores of a database server', positiveNumber, 16)
  .parse()
  .opts<{ deletes: number; zones: number; cores: number }>();

const processes = coresPerZone(deletes, SERVICE, zones);
const primary = Math.ceil((deletes * POSTGRES) / 1e6 / UTILISATION);
const workers = Math.ceil(primary / cores);
console.log(`${deletes} deletes a second, ${counted(zones, 'zone')}${zones > 1 ? ', one of them lost' : ''}:`);
if (zones === 1 && processes === 1) console.log('One process with SQLite, on one core. Or:');
console.log(`Services: ${counted(processes, 'process', 'es')} of one core in each zone, ${processes * zones} in all.`);
console.log(
  workers === 1
    ? `PostgreSQL: ${counted(zones, 'server')} of ${counted(primary, 'core')}; one takes the writes.`
    : `PostgreSQL: ${primary} cores are more than one server has. Citus: a coordinator and ${workers} workers, each of them ${counted(zones, 'server')} of ${counted(cores, 'core')}.`,
);
