import type { Contract } from 'openapi-exact';
import { ERRORS } from '../../src/errors.ts';
import { PLANT_ERRORS } from '../../src/plants/handlers.ts';

const ALL = [...Object.values(ERRORS), ...Object.values(PLANT_ERRORS)].sort((a, b) => a.code - b.code);

/** The rows of the table of error codes, in ascending order, by code. */
const ROWS: ReadonlyMap<string, string> = new Map(
  ALL.map(({ code, meaning }) => [String(code), `| ${code} | ${meaning} |`]),
);

/** Codes that more than one error has. */
const SHARED: ReadonlySet<string> = new Set(
  ALL.flatMap(({ code }, index) => (code === ALL[index - 1]?.code ? [String(code)] : [])),
);

const SOURCES = 'ERRORS in src/errors.ts and PLANT_ERRORS in src/plants/handlers.ts';

/** The table of error codes for docs/api.md. */
export const ERROR_TABLE = ['| `error` | meaning |', '|---|---|', ...ROWS.values()].join('\n');

/**
 * An error with its place for each row of the table in `info.description` that is not as the code
 * says.
 * @param file the contract's name. @param text its text.
 */
export function errorTableMistakes({ document }: Contract, file: string, text: string): readonly string[] {
  const lines = text.split('\n');
  const mistake = (shown: string, reason: string): string => {
    const index = Math.max(
      lines.findIndex((line) => line.trim().startsWith(shown)),
      0,
    );
    return `${file}:${index + 1}:${(lines[index]?.search(/\S/) ?? 0) + 1}: error: ${reason}`;
  };
  const rows = [...String(document.info['description']).matchAll(/^ *(\| (\d{5}) \| .* \|)$/gm)];
  const shown = new Map(rows.map(([, row = '', code = '']) => [code, row]));
  if (shown.size === 0) return [mistake('info:', `info.description needs the table of error codes:\n\n${example()}\n`)];
  const missing = [...ROWS].filter(([code]) => !shown.has(code));
  const wrong = [...ROWS].filter(([code, row]) => shown.has(code) && shown.get(code) !== row && !SHARED.has(code));
  const unknown = [...shown].filter(([code]) => !ROWS.has(code));
  const mistakes = [
    ...missing.map(([code, row]) => {
      const before = [...shown.keys()].findLast((shownCode) => shownCode < code) ?? [...shown.keys()][0] ?? '';
      return mistake(`| ${before} |`, `the table of error codes lacks a row of ${SOURCES}. Add: ${row}`);
    }),
    ...wrong.map(([code, row]) => mistake(`| ${code} |`, `the row is not that of ${SOURCES}. Write: ${row}`)),
    ...unknown.map(([code]) =>
      mistake(`| ${code} |`, `the code is not in ${SOURCES}. Add it there, or remove the row.`),
    ),
    ...[...SHARED].map((code) =>
      mistake(`| ${code} |`, `two errors in ${SOURCES} have this code: give one of them a code of its own.`),
    ),
    ...unknownExamples(text).map((line) =>
      mistake(line, `the code of this example is not in ${SOURCES}. Add it there, or show another.`),
    ),
  ];
  const isAscending = rows.every(([, , code = ''], index) => (rows[index - 1]?.[2] ?? '') < code);
  if (mistakes.length > 0 || isAscending) return mistakes;
  return [mistake(`| ${rows[0]?.[2] ?? ''} |`, 'the codes of the table must ascend, each once.')];
}

/** The lines of examples with a code that does not exist. */
function unknownExamples(text: string): readonly string[] {
  return [...text.matchAll(/^ *(error: (\d+)) *$/gm)].flatMap(([, line = '', code = '']) =>
    ROWS.has(code) ? [] : [line],
  );
}

function example(): string {
  return ['| code | meaning |', '|---|---|', ...ROWS.values()].map((row) => `    ${row}`).join('\n');
}
