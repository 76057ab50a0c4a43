import { expect, test } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse, stringify } from 'lossless-json';
import { loadContract } from '../src/server/load-contract.ts';
import type { Schema } from '../src/schema/openapi-document.ts';
import type { Step } from '../src/validation/express-openapi-validator/rewriting/step.ts';
import { STEPS } from '../src/validation/express-openapi-validator/rewriting/steps.ts';
import { NO_FORMATS } from '../src/schema/custom-formats.ts';
import { copying } from '../src/validation/express-openapi-validator/validation-document.ts';

const ROOM = new URL('../src/validation/express-openapi-validator/', import.meta.url);

const LARGE = '9007199254740993';

/** The steps, each of which is given what nothing can change. */
function frozenSteps(without?: string): readonly Step[] {
  return STEPS.filter(({ name }) => name !== without).map((step) => (schema, source) => step(frozen(schema), source));
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

const COMPONENTS = {
  Named: { required: ['name'] },
  Rose: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
  Tulip: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
};

/** A schema as the contract has it, rewritten by some steps. */
async function rewritten(schema: object, steps: readonly Step[]): Promise<Rewritten> {
  const info = { title: 'Steps', version: '1.0.0' };
  const schemas = { ...COMPONENTS, Tested: schema };
  const text = stringify({ openapi: '3.1.0', info, paths: {}, components: { schemas } });
  const { document } = await loadContract({ text: String(text) });
  const tested: Schema = document.components?.schemas?.['Tested'] ?? {};
  const made = copying(document, [tested], { customFormats: NO_FORMATS, hasPatterns: true }, steps);
  const root = made.requests.rewrite(tested) as Schema;
  made.components.complete();
  return { made, root };
}

interface Rewritten {
  readonly made: ReturnType<typeof copying>;
  readonly root: Schema;
}

/** The verdicts of Ajv, as the validator asks it, on values; why it cannot compile the schema. */
async function verdicts(schema: object, values: readonly string[], without?: string): Promise<unknown> {
  const { made, root } = await rewritten(schema, frozenSteps(without));
  const ajv = new Ajv2020({ strict: false, strictTuples: true, validateSchema: false, logger: false });
  for (const component of made.components.schemas) ajv.addSchema(component);
  for (const [name, format] of Object.entries(made.formats.all)) ajv.addFormat(name, format);
  try {
    const validate = ajv.compile({ $id: 'contract:#tested', properties: { value: root } });
    const traits = { isAskedForDistinctItems: false, isAmbiguous: false };
    return values.map((value) => made.check.judgeCopy({ value: parse(value) }, traits, (copy) => validate(copy)));
  } catch (error) {
    return (error as Error).name;
  }
}

interface Fault {
  readonly step: string;
  readonly what: string;
  readonly schema: object;
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

test.each<Fault>([
  {
    step: 'assertedKeywords',
    what: 'compiles each pattern itself, with the flag u',
    schema: { pattern: '(?i)^rose$' },
    valid: ['"Rose"'],
    invalid: ['"tulip"'],
  },
  {
    step: 'innerSchemas',
    what: 'finds inherited properties',
    schema: { properties: { constructor: { type: 'string' } } },
    valid: ['{}', '{"constructor":"a"}'],
    invalid: ['{"constructor":1}'],
  },
  {
    step: 'requiredNames',
    what: 'takes an inherited property for a given one',
    schema: { required: ['constructor'] },
    valid: ['{"constructor":1}'],
    invalid: ['{}'],
  },
  {
    step: 'constants',
    what: 'has doubles only',
    schema: { const: BigInt(LARGE) },
    valid: [LARGE, `${LARGE}.0`],
    invalid: ['9007199254740992', '1'],
  },
  {
    step: 'assertionFormats',
    what: 'knows no exact number',
    schema: { type: 'integer', format: 'int64', minimum: 9007199254740992 },
    valid: [LARGE, '9007199254740992'],
    invalid: ['9007199254740991', '9223372036854775808'],
  },
  {
    step: 'distinctItems',
    what: 'compares each two items of a list, so that a long one is refused',
    schema: { type: 'array', uniqueItems: true },
    valid: ['[1,2]'],
    invalid: ['[1,1]', JSON.stringify(Array.from({ length: 201 }, (_, index) => [index]))],
  },
  {
    step: 'conditions',
    what: 'takes for evaluated what a failing if describes',
    schema: { if: { required: ['b'], properties: { a: true, b: true } }, unevaluatedProperties: false },
    valid: ['{}', '{"a":1,"b":1}'],
    invalid: ['{"a":1}'],
  },
  {
    step: 'tuples',
    what: 'has tuples of fixed lengths only',
    schema: { prefixItems: [{ type: 'string' }, { type: 'boolean' }], items: { type: 'number' } },
    valid: ['[]', '["a"]', '["a",true]', '["a",true,1,2]'],
    invalid: ['[1]', '["a",1]', '["a",true,"b"]'],
  },
  {
    step: 'contradictions',
    what: 'has no empty enum',
    schema: { enum: [] },
    valid: [],
    invalid: ['1', 'null', '{}'],
  },
  {
    step: 'references',
    what: 'ignores keywords beside a reference',
    schema: { $ref: '#/components/schemas/Named', minProperties: 2 },
    valid: ['{"name":1,"a":1}'],
    invalid: ['{"name":1}', '{"a":1,"b":1}'],
  },
  {
    step: 'discriminators',
    what: 'does not follow a discriminator',
    schema: {
      oneOf: [{ $ref: '#/components/schemas/Rose' }, { $ref: '#/components/schemas/Tulip' }],
      discriminator: { propertyName: 'kind' },
    },
    valid: ['{"kind":"Rose"}', '{"kind":"Tulip"}'],
    invalid: ['{"kind":"Oak"}', '{}'],
  },
])('the step $step is right where the validator $what', async ({ step, schema, valid, invalid }) => {
  const values = [...valid, ...invalid];
  const right = values.map((value) => valid.includes(value));
  expect(await verdicts(schema, values)).toEqual(right);
  expect(await verdicts(schema, values, step)).not.toEqual(right);
});

/** What asks the validator for work or words that the contract does not mean. */
test.each<Pick<Fault, 'step' | 'what' | 'schema'> & { readonly keyword: string }>([
  {
    step: 'numericTypes',
    what: 'the type of an integer, of which a format has the words',
    schema: { type: 'integer' },
    keyword: '"integer"',
  },
  {
    step: 'longEnums',
    what: 'each value of a long enum',
    schema: { enum: Array.from({ length: 101 }, (_, index) => `c${index}`) },
    keyword: '"enum"',
  },
  {
    step: 'containedItems',
    what: 'an error for each item that is not searched',
    schema: { contains: { type: 'string' } },
    keyword: '"contains"',
  },
])('the step $step does not ask the validator for $what', async ({ step, schema, keyword }) => {
  expect(JSON.stringify((await rewritten(schema, frozenSteps())).root)).not.toContain(keyword);
  expect(JSON.stringify((await rewritten(schema, frozenSteps(step))).root)).toContain(keyword);
});

test('the step namePatterns keeps patterns of names apart from a choice beside them', async () => {
  const schema = { oneOf: [{ type: 'object' }], patternProperties: { '^a': true }, additionalProperties: false };
  const { root } = await rewritten(schema, frozenSteps());
  expect(root).toMatchObject({ allOf: [{ patternProperties: { '^a': true }, additionalProperties: false }] });
  expect(Object.keys(root).toSorted()).toEqual(['allOf', 'oneOf']);
});

test('the page of the validator has a row for each step in order, and names files and tests that exist', () => {
  const page = readFileSync(new URL('README.md', ROOM), 'utf8');
  const [room = '', steps = ''] = page.split('## The steps');
  expect([...steps.matchAll(/^\| `(\w+)` \|/gm)].map(([, step]) => step)).toEqual(STEPS.map(({ name }) => name));
  const known = [ROOM, new URL('.', import.meta.url), new URL('support/', import.meta.url)].flatMap((folder) =>
    readdirSync(folder),
  );
  const named = [...room.matchAll(/`([a-z-]+(?:\.test)?\.ts)`/g)].map(([, file]) => file);
  expect(named.filter((file) => !known.includes(String(file)))).toEqual([]);
});
