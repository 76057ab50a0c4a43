import { createConfig, getLineColLocation, lint, type NormalizedProblem } from '@redocly/openapi-core';
import { fileURLToPath } from 'node:url';
import { ContractError } from '../../src/contract/document/refusal.ts';
import { displayName } from '../../src/contract/document/sources.ts';
import { checkContract } from '../../src/contract/prepare.ts';

/** Redocly's recommended rules and those that keep descriptions and examples complete and true. */
const RULES = {
  'operation-tag-defined': 'error',
  'no-invalid-schema-examples': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'scalar-property-missing-example': 'error',
} as const;

/** The interface has these components, although no operation refers to them yet. */
const UNUSED = ['#/components/schemas/Plant'];

/**
 * What is wrong with a contract, a line each, with file, line and column: everything for which the
 * service would not start, then what the linter says of other lines, warnings included.
 */
export async function contractProblems(contract: URL): Promise<readonly string[]> {
  const refusals = await refusalsOf(contract);
  const refused = new Set(refusals.map(place));
  return [...refusals, ...(await lintContract(contract)).filter((problem) => !refused.has(place(problem)))];
}

async function refusalsOf(contract: URL): Promise<readonly string[]> {
  try {
    await checkContract(contract);
    return [];
  } catch (error) {
    if (error instanceof ContractError) return error.lines;
    throw error;
  }
}

async function lintContract(contract: URL): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: RULES });
  const path = fileURLToPath(contract);
  config.styleguide.ignore[path] = { 'no-unused-components': new Set(UNUSED) };
  try {
    const problems = await lint({ ref: path, config });
    return problems.filter(({ ignored }) => ignored !== true).map(describe);
  } catch {
    // It reads no contract that does not parse, of which the refusals tell.
    return [];
  }
}

/** The file and line of a problem. */
function place(problem: string): string {
  return /^.*?:\d+/.exec(problem)?.[0] ?? problem;
}

function describe({ location: [first], severity, message, ruleId }: NormalizedProblem): string {
  if (first === undefined) return `${severity}: ${message} (${ruleId})`;
  const { source, start } = getLineColLocation(first);
  return `${displayName(source.absoluteRef)}:${start.line}:${start.col}: ${severity}: ${message} (${ruleId})`;
}
