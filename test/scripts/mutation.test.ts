import { describe, expect, test } from '@jest/globals';
import { transformSync } from 'esbuild';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { codeEdits } from '../../scripts/mutation/code-edits.ts';
import { contractEdits } from '../../scripts/mutation/contract-edits.ts';
import { mutantsByHand } from '../../scripts/mutation/by-hand.ts';
import { applied, mutantsOf, sample, type Mutant } from '../../scripts/mutation/mutant.ts';
import { operationMutants } from '../../scripts/mutation/operations.ts';
import { madeMutants, ROOM_NAMES } from '../../scripts/mutation/rooms.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const CHECKS = ['lint', 'types', 'contract:diff', 'test:contract'];
const made = await madeMutants();
const all = [...made, ...(await mutantsByHand()), ...(await operationMutants())];

/** What the mutants of a text are. */
function mutated(text: string, edits: typeof codeEdits): string[] {
  const file = { room: 'room', file: 'file', noticedBy: [] };
  return mutantsOf(file, text, edits(text)).map((mutant) => applied(mutant, text));
}

describe('the mutants of code', () => {
  test('change operators, negate conditions, and remove calls and throws', () => {
    expect(mutated('if (a < b) f(); else throw e;', codeEdits)).toEqual([
      'if (((a) <= (b))) f(); else throw e;',
      'if (a < b) ; else throw e;',
      'if (a < b) f(); else ;',
    ]);
    expect(mutated('const x = isOpen ? a ?? b : true;', codeEdits)).toEqual([
      'const x = !(isOpen) ? a ?? b : true;',
      'const x = isOpen ? ((a) && (b)) : true;',
      'const x = isOpen ? a ?? b : false;',
    ]);
  });

  test('leave types, loops and results that are used alone', () => {
    const text = 'let x: true; while (i < n) x = g(i < n ? 1 : 2); for (; a && b < c; ) y = await f();';
    expect(mutated(text, codeEdits)).toEqual([text.replace('g(i < n', 'g(((i) <= (n))')]);
  });

  test('are programs: none is noticed only because it cannot be read', async () => {
    const texts = new Map<string, string>();
    const code = made.filter(({ file }) => file.endsWith('.ts'));
    for (const mutant of sample(code, 200, 'programs')) {
      const text = texts.get(mutant.file) ?? (await readFile(PROJECT + mutant.file, 'utf8'));
      texts.set(mutant.file, text);
      const program = applied(mutant, text);
      expect(program).not.toBe(text);
      expect(() => transformSync(program, { loader: 'ts', target: 'es2023' })).not.toThrow();
    }
  });
});

test('the mutants of a contract remove entries and items, and change types, statuses and booleans', () => {
  const text = `description: true
required: true
type:
  - string
responses:
  '204':
    description: true
`;
  expect(mutated(text, contractEdits)).toEqual([
    text.replace('required: true\n', ''),
    text.replace('required: true', 'required: false'),
    text.replace('type:\n  - string\n', ''),
    text.replace('  - string\n', ''),
    text.replace('string', 'integer'),
    text.replace(/responses:.*/s, ''),
    text.replace(/ {2}'204':.*/s, ''),
    text.replace("'204'", "'205'"),
  ]);
});

test('every room has mutants, no two have the same name, and the tests that must notice exist', async () => {
  expect(new Set(all.map(({ room }) => room))).toEqual(new Set([...ROOM_NAMES, 'operations']));
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  const roots = ['test', 'packages/openapi-exact/test'];
  const files = (
    await Promise.all(
      roots.map(async (root) => (await readdir(PROJECT + root, { recursive: true })).map((name) => `${root}/${name}`)),
    )
  ).flat();
  for (const pattern of new Set(all.flatMap(({ noticedBy }) => noticedBy).filter((name) => !CHECKS.includes(name))))
    for (const alternative of alternatives(pattern))
      expect([alternative, files.filter((file) => new RegExp(alternative).test(file))]).not.toEqual([alternative, []]);
});

/** A pattern with one group, once with each of its alternatives. */
function alternatives(pattern: string): string[] {
  const [, before = '', group, after = ''] = /^(.*)\((?!\?)(.*)\)(.*)$/.exec(pattern) ?? [];
  return group === undefined ? [pattern] : group.split('|').map((alternative) => before + alternative + after);
}

test('a sample stays the same when code elsewhere changes, and another seed draws another', () => {
  const text = 'f();\ng();\nif (a) h();\nif (b) i();\n';
  const draw = (from: string, seed: string): string[] => {
    const mutants: Mutant[] = mutantsOf({ room: 'r', file: 'f.ts', noticedBy: [] }, from, codeEdits(from));
    return sample(mutants, 3, seed).map(({ key }) => key);
  };
  expect(draw(`// A comment.\n\n${text}`, '1')).toEqual(draw(text, '1'));
  expect(new Set(['1', '2', '3', '4'].map((seed) => draw(text, seed).join())).size).toBeGreaterThan(1);
});
