import { createConfig, getLineColLocation, lint, type NormalizedProblem } from '@redocly/openapi-core';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../../src/errors.ts';

/** Redocly's recommended rules and those that keep descriptions and examples complete and true. */
const RULES = {
  'operation-tag-defined': 'error',
  'no-invalid-schema-examples': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'scalar-property-missing-example': 'error',
} as const;

/** What is wrong with a contract, warnings included: a line each, with file, line and column. */
export async function lintContract(contract: URL): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: RULES });
  const path = fileURLToPath(contract);
  try {
    return (await lint({ ref: path, config })).filter(({ ignored }) => ignored !== true).map(describe);
  } catch (error) {
    return [describeFailure(path, messageOf(error))];
  }
}

/** The parser says where it stopped behind its message, as `in "<file>" (<line>:<column>)`. */
function describeFailure(path: string, message: string): string {
  const [, what = message, file = path, place = ''] = /^(.*?) in "(.*)" \((\d+:\d+)\)/s.exec(message) ?? [];
  return `${[name(file), place].filter((part) => part !== '').join(':')}: error: ${what}`;
}

function describe({ location: [first], severity, message, ruleId }: NormalizedProblem): string {
  if (first === undefined) return `${severity}: ${message} (${ruleId})`;
  const { source, start } = getLineColLocation(first);
  return `${name(source.absoluteRef)}:${start.line}:${start.col}: ${severity}: ${message} (${ruleId})`;
}

function name(path: string): string {
  return relative(process.cwd(), path);
}
