import { medianOf, METRICS, type Row } from '../results.ts';
import type { Contestant } from '../servers.ts';
import { cell, renderLines } from '../table.ts';
import { BARE, BARE_ON_EXPRESS, CONTESTANTS, EXPRESS, OPENAPI_EXACT } from './contestants.ts';

const { digits } = METRICS.processorMicroseconds;

/** A table of processor time per request: a row per kind of message, a column per server. */
export function renderMessages(rows: readonly Row[]): string {
  const servers = [...new Set(rows.flatMap(({ server }) => server ?? []))];
  return renderLines([
    ['', ...servers],
    ...namesOf(rows).map((name) => {
      const first = microseconds(rows, name, servers[0]);
      return [
        name,
        ...servers.map((server, column) => {
          return cell(microseconds(rows, name, server), column === 0 ? undefined : first, digits);
        }),
      ];
    }),
  ]);
}

/** The same with a row for each server, and what it does not check. */
export function renderServers(rows: readonly Row[]): string {
  const names = namesOf(rows);
  return renderLines([
    ['', ...names, 'does not check'],
    ...CONTESTANTS.filter((contestant) => contestant !== BARE_ON_EXPRESS).map(({ name: server, unchecked }) => [
      server,
      ...names.map((name) => {
        const base = server === OPENAPI_EXACT.name ? undefined : microseconds(rows, name, OPENAPI_EXACT.name);
        return cell(microseconds(rows, name, server), base, digits);
      }),
      unchecked,
    ]),
  ]);
}

/** What the processor time of openapi-exact consists of, and what Express's own parts would add. */
export function renderShares(rows: readonly Row[]): string {
  return renderLines([
    [
      'share of openapi-exact',
      'node:http and JSON',
      'Express around it',
      'openapi-exact',
      "Express's router and parsers, not used",
    ],
    ...namesOf(rows).map((name) => {
      const timeOf = ({ name: server }: Contestant): number => microseconds(rows, name, server) ?? NaN;
      const [exact, bare, onExpress] = [timeOf(OPENAPI_EXACT), timeOf(BARE), timeOf(BARE_ON_EXPRESS)];
      const parts = [bare, onExpress - bare, exact - onExpress, timeOf(EXPRESS) - onExpress];
      const shares = parts.map((part) => (100 * part) / exact);
      return [name, ...shares.map((share) => (Number.isNaN(share) ? '–' : `${Math.round(share)} %`))];
    }),
  ]);
}

/** The kinds of message, in their order. */
function namesOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.map(({ name }) => name))];
}

function microseconds(rows: readonly Row[], name: string, server: string | undefined): number | undefined {
  const row = rows.find((candidate) => candidate.name === name && candidate.server === server);
  return row && medianOf(row, 'processorMicroseconds');
}
