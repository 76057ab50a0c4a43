import { JSON_SCHEMA, load, Type } from 'js-yaml';
import { Refused } from '../errors/diagnostic.ts';

/**
 * Integers of YAML 1.2 (section 10.3.2). One beyond 2^53 becomes a `bigint`, which holds it
 * exactly.
 */
const integer = new Type('tag:yaml.org,2002:int', {
  kind: 'scalar',
  resolve: (text: string | null) => text !== null && /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/.test(text),
  construct: (text: string): bigint | number => {
    const value = Number(text);
    return Number.isSafeInteger(value) ? value : BigInt(text.replace('+', ''));
  },
});

/** The merge key `<<` of YAML 1.1, which contracts use. */
const merge = new Type('tag:yaml.org,2002:merge', { kind: 'scalar', resolve: (text: unknown) => text === '<<' });

const SCHEMA = JSON_SCHEMA.extend({ implicit: [integer, merge] });

/**
 * Parses YAML, or JSON, which is YAML, by the JSON schema of YAML: a date stays a string.
 * @param filename the name in the mark of an exception.
 * @throws YAMLException when the text does not parse or repeats a key.
 */
export function parseYaml(text: string, filename: string): unknown {
  return load(text, { schema: SCHEMA, filename });
}

/** The most that aliases may multiply the objects of a file, and the size that needs no limit. */
const MAX_FACTOR = 10;
const SMALL = 10_000;

/** @throws Refused at an alias for a value that contains it, or when aliases multiply a file. */
export function requireEnd(root: unknown): void {
  const sizes = new Map<object, number>();
  const size = expandedSize(root, [], sizes);
  if (typeof root !== 'object' || root === null || size <= Math.max(SMALL, MAX_FACTOR * sizes.size)) return;
  const reason = `the aliases stand for ${size} objects, but the file has ${sizes.size}: use a $ref to a schema in components.`;
  throw new Refused([{ node: root, key: undefined, reason }]);
}

/** The number of objects in a value, those behind aliases counted each time. */
function expandedSize(value: unknown, around: readonly unknown[], sizes: Map<object, number>): number {
  if (typeof value !== 'object' || value === null) return 0;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const within = [...around, value];
  let size = 1;
  for (const [key, child] of Object.entries(value)) {
    if (within.includes(child)) {
      const reason = 'the alias stands for a value that contains it: use a $ref to a schema in components.';
      throw new Refused([{ node: value, key, reason }]);
    }
    size += expandedSize(child, within, sizes);
  }
  sizes.set(value, size);
  return size;
}
