import express from 'express';
import { contractMiddleware, loadContract } from 'openapi-exact';
import { withFiles } from 'test-support/contract-files.ts';
import { stepsOf } from 'test-support/steps.ts';
import { clientShapes } from '../../src/generate/client-shapes.ts';
import { contractTypes } from '../../src/generate/contract-types.ts';
import { reviewContract } from '../../src/lint/review.ts';
import { contractOf, nestedSchema } from './nested-schemas.ts';

/** The analyses of a contract. A contract that cannot be served ends each of them with an error. */
const ANALYSES: Readonly<Record<string, (file: URL) => Promise<unknown>>> = {
  check: reviewContract,
  start: async (file) => {
    const contract = await loadContract(file);
    const handlers = Object.fromEntries(contract.operations.map(({ id }) => [id, () => ({ status: 200, body: {} })]));
    const errorBody = (): undefined => undefined;
    express().use(await contractMiddleware({ contract, handlers, errorBody }));
  },
  generate: async (file) => {
    const contract = await loadContract(file);
    await contractTypes(contract);
    clientShapes(contract);
  },
};

/**
 * The most growth: twice as many levels add twice as many steps, or less than four times as many
 * where schemas of one value, of which a chain has at most 250, are compared.
 */
export const MOST_GROWTH = 3.5;

/** How the steps of an analysis grow with the levels of schemas. */
export interface Growth {
  readonly analysis: string;
  /** By levels. */
  readonly steps: readonly number[];
  /** The steps that the last doubling of the levels adds, by those that the one before adds. */
  readonly growth: number;
}

/**
 * Counts the steps of each analysis of a contract with some nestings of keywords.
 * @param levels three, each twice the one before.
 */
export async function growthsOf(
  nestings: readonly (readonly string[])[],
  [few, some, many]: readonly [number, number, number],
): Promise<readonly Growth[]> {
  const growths: Growth[] = [];
  for (const [analysis, analyse] of Object.entries(ANALYSES)) {
    const steps: number[] = [];
    // The first runs also take the steps of what is loaded and made once.
    for (const depth of [some, some, few, some, many]) {
      const text = contractOf(nestings.map((keywords) => nestedSchema(keywords, depth)));
      // A refusal is an answer, too.
      const task = (file: URL): Promise<number> => stepsOf(() => analyse(file).catch(() => undefined));
      steps.push(await withFiles({ 'openapi.yaml': text }, task));
    }
    const [, , least = 0, more = 0, most = 0] = steps;
    // What depends on the contract's name and such is not in proportion to anything.
    const growth = (most - more) / Math.max(more - least, least / 100);
    growths.push({ analysis, steps: [least, more, most], growth });
  }
  return growths;
}

/** The nestings of a contract that is served: those that are refused would hide the others. */
export async function servedNestings(
  nestings: readonly (readonly string[])[],
  levels: number,
): Promise<readonly (readonly string[])[]> {
  const served: (readonly string[])[] = [];
  for (const keywords of nestings) {
    const text = contractOf([nestedSchema(keywords, levels)]);
    const { errors } = await withFiles({ 'openapi.yaml': text }, (file) => reviewContract(file));
    if (errors.length === 0) served.push(keywords);
  }
  return served;
}
