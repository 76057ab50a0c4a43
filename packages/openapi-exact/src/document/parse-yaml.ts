import { JSON_SCHEMA, load, Type } from 'js-yaml';
import { Refused } from './refusal.ts';

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

/** @throws Refused at an alias that stands for a value around it. */
export function requireEnd(value: unknown, around: readonly unknown[] = [], done = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || done.has(value)) return;
  const within = [...around, value];
  for (const [key, child] of Object.entries(value)) {
    if (within.includes(child)) {
      const reason = 'the alias stands for a value that contains it: use a $ref to a schema in components.';
      throw new Refused([{ node: value, key, reason }]);
    }
    requireEnd(child, within, done);
  }
  done.add(value);
}
