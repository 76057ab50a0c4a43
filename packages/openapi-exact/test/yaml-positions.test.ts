import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dump } from 'js-yaml';
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { yamlPositions, type Position } from '../src/document/yaml-positions.ts';

type Path = readonly (string | number)[];

const key = fc.oneof(
  fc.constantFrom('paths', '/things/{id}', 'get', "it's", '"', 'a: b', '# no', '- x', '200', 'x\ny', '', '<<<', '}'),
  fc.string({ maxLength: 6 }),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constantFrom('', 'paths:\nget:', 'a\n  paths:\n', null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

/** The paths of all keys and items of a value. */
function* pathsOf(of: unknown, before: Path = []): Generator<Path, void> {
  if (typeof of !== 'object' || of === null) return;
  for (const [name, child] of Object.entries(of)) {
    const path = [...before, Array.isArray(of) ? Number(name) : name];
    yield path;
    yield* pathsOf(child, path);
  }
}

/** The place of a key or item by the parser of the whole text. */
function expectedPosition(text: string, path: Path): Position {
  const lines = new LineCounter();
  let node: unknown = parseDocument(text, { lineCounter: lines }).contents;
  let at: unknown = node;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key: name }) => isScalar(name) && String(name.value) === step);
      [at, node] = [pair?.key, pair?.value];
    } else if (isSeq(node)) at = node = node.items[Number(step)];
  }
  const { line, col } = lines.linePos((at as { range: [number] }).range[0]);
  return { line, column: col };
}

const WRITERS: readonly ((written: unknown) => string)[] = [
  (written) => JSON.stringify(written),
  (written) => JSON.stringify(written, null, 2),
  (written) => JSON.stringify(written, null, 2).replaceAll('\n', '\r\n'),
  (written) => dump(written),
  (written) => dump(written, { noArrayIndent: true, forceQuotes: true }),
  (written) => dump(written, { indent: 4, flowLevel: 2 }),
  (written) => `# comment\n---\n${dump(written).replaceAll(/:\n/g, ': # comment\n\n')}`,
];

test('a place that is found in a part of a text is the place in the whole text', () => {
  const root = fc.dictionary(key, value, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
  fc.assert(
    fc.property(root, fc.constantFrom(...WRITERS), (written, write) => {
      const text = write(written);
      // What a writer makes of odd texts need not be what was written.
      fc.pre(parseDocument(text).errors.length === 0);
      for (const path of [...pathsOf(parseDocument(text).toJS())].slice(-8)) {
        expect({ path, at: yamlPositions(text, [path]) }).toEqual({ path, at: [expectedPosition(text, path)] });
      }
    }),
    { numRuns: 100 },
  );
});
