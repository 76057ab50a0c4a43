import {
  ContractValidator,
  bodyKind,
  bodyName,
  faultSentence,
  type Fault,
  fieldsOf,
  isObject,
  isReference,
  isSchema,
  isVersion32,
  list,
  own,
  resolve,
  responseName,
  type Bundle,
  type Contract,
  type Message,
  type MessageDirection,
  type Operation,
  type Diagnostic,
  type Schema,
} from 'openapi-exact/contract';
import { parse, stringify } from 'lossless-json';

/** A value that a contract shows for a schema. */
interface ShownValue {
  readonly value: unknown;
  readonly schema: Schema;
  /** Where it stands, and what it is. */
  readonly node: object;
  readonly key: string | number;
  readonly what: 'example' | 'default';
}

/** How many values one operation has. */
const BATCH = 50;

/** Messages that may have values by their numbers, and the operation that they belong to. */
interface MessageForm {
  readonly parts: (values: readonly ShownValue[]) => Partial<Operation>;
  /** The messages with one value, each with the place of that value in it. */
  readonly messages: (
    number: number,
    value: unknown,
  ) => readonly (readonly [MessageDirection, parts: Message['parts'], place: string])[];
}

/** Parameters, which may have read-only and write-only properties. */
const AS_PARAMETER: MessageForm = {
  parts: (values) => ({
    parameters: values.map(({ schema }, number) => ({
      name: String(number),
      in: 'query',
      content: { 'application/json': { schema } },
    })),
  }),
  messages: (number, value) => [['request', { query: { [number]: value } }, `/query/${number}`]],
};

/** Bodies, which need not have properties of the other direction. */
const AS_BODY: MessageForm = {
  parts: (values) => {
    const content = Object.fromEntries(values.map(({ schema }, number) => [mediaType(number), { schema }]));
    return { requestBody: { content }, responses: { 200: { headers: {}, content } } };
  },
  messages: (number, value) =>
    (
      [
        ['request', bodyName(mediaType(number))],
        ['response', responseName('200', mediaType(number))],
      ] as const
    ).map(([direction, name]) => [direction, { [name]: value }, `/${name.replaceAll('/', '~1')}`]),
};

/**
 * Warnings of examples and defaults that their schemas refuse, as the service would refuse them in
 * a message. A value fits when a request, a response or a parameter may have it.
 */
export async function misfitValues(
  contract: Contract,
  nodes: Bundle['nodes'],
  versionOf: Bundle['versionOf'],
): Promise<readonly Diagnostic[]> {
  const misfits = await misfitsOf(contract, shownValues(contract, nodes, versionOf), AS_PARAMETER);
  const inBodies = await misfitsOf(contract, [...misfits.keys()], AS_BODY);
  // Authors also write an example of JSON as a text.
  const written = [...inBodies.keys()].flatMap((shown) => {
    const value = typeof shown.value === 'string' ? parsed(shown.value) : undefined;
    return value === undefined ? [] : [{ ...shown, value }];
  });
  const inTexts = await misfitsOf(contract, written, AS_BODY);
  const right = written.filter((shown) => !inTexts.has(shown));
  return [...inBodies.keys()]
    .filter(({ node, key }) => !right.some((shown) => shown.node === node && shown.key === key))
    .map((shown) => ({ node: shown.node, key: shown.key, reason: fault(shown, misfits.get(shown)) }));
}

/** The values that no message of a form may have, with the first mismatch. */
async function misfitsOf(
  contract: Contract,
  values: readonly ShownValue[],
  { parts, messages }: MessageForm,
): Promise<ReadonlyMap<ShownValue, Fault>> {
  const batches = Array.from({ length: Math.ceil(values.length / BATCH) }, (_, index) =>
    values.slice(index * BATCH, (index + 1) * BATCH),
  );
  const operations = batches.map((batch) => ({ ...NO_OPERATION, ...parts(batch) }));
  const validator = new ContractValidator(contract, operations);
  const found = new Map<ShownValue, Fault>();
  for (const [index, operation] of operations.entries()) {
    await validator.compile(operation);
    for (const [number, shown] of (batches[index] ?? []).entries()) {
      // As a message has it.
      const exact = parse(stringify(shown.value) ?? 'null');
      const mismatches = messages(number, exact).map(([direction, parts, place]) => {
        const misfit = validator.faultIn(operation, direction, { parts, isPlain: false });
        return misfit && { ...misfit, place: misfit.place.replace(place, '') };
      });
      const [first] = mismatches;
      if (first !== undefined && mismatches.every((mismatch) => mismatch !== undefined)) found.set(shown, first);
    }
  }
  return found;
}

const NO_OPERATION: Operation = {
  id: '',
  method: 'POST',
  path: '',
  tags: [],
  basePaths: [],
  security: [],
  parameters: [],
  requestBody: undefined,
  responses: {},
  definition: { operationId: '', responses: {} },
};

function mediaType(number: number): string {
  return `application/${number}+json`;
}

function fault({ value, what }: ShownValue, mismatch: Fault | undefined): string {
  const { place = '', limits = 'described' } = mismatch ?? {};
  const subject = (name: string): string => (name === '' ? `the ${what}` : `the ${what} is not valid: ${name}`);
  return faultSentence(subject, place, limits, place === '' ? value : undefined);
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function shownValues(
  { document }: Contract,
  nodes: Bundle['nodes'],
  versionOf: Bundle['versionOf'],
): readonly ShownValue[] {
  const inSchemas = (nodes.get('schema') ?? []).flatMap((schema): Candidate[] => [
    { value: schema['default'], schema, node: schema, key: 'default', what: 'default' },
    ...examplesIn(schema, schema),
    ...list(schema['examples']).map((value, index) => exampleOf(schema, value, list(schema['examples']), index)),
  ]);
  const ofFields = [...(nodes.get('parameter') ?? []), ...(nodes.get('header') ?? [])];
  const withContent = [...ofFields, ...(nodes.get('requestBody') ?? []), ...(nodes.get('response') ?? [])];
  const media = withContent.flatMap(({ content }) =>
    Object.entries(fieldsOf(content))
      .filter(([type]) => bodyKind(type) === 'json')
      .map(([, described]) => described)
      .filter(isObject),
  );
  const outside = [...ofFields, ...media].flatMap((node) => [
    ...examplesIn(node, node['schema']),
    ...Object.values(fieldsOf(node['examples'])).flatMap((named) => {
      const example = isReference(named) ? resolve<object>(document, named) : named;
      return isObject(example) ? [exampleOf(node['schema'], example['value'], example, 'value')] : [];
    }),
  ]);
  const holders = [
    ...ofFields,
    ...withContent.flatMap(({ content }) => Object.values(fieldsOf(content)).filter(isObject)),
  ];
  const data = holders
    .filter((node) => isVersion32(versionOf(node)))
    .flatMap((node) =>
      Object.values(fieldsOf(node['examples'])).flatMap((named) => {
        const example = isReference(named) ? resolve<object>(document, named) : named;
        return isObject(example) ? [exampleOf(schemaOf(node), example['dataValue'], example, 'dataValue')] : [];
      }),
    );
  return [...inSchemas, ...outside, ...data].filter(isShown);
}

/** The schema of a parameter, a header or a media type. */
function schemaOf({ schema, content }: Record<string, unknown>): unknown {
  return schema ?? own(Object.values(fieldsOf(content))[0], 'schema');
}

/** An example that may lack its value or its schema. */
type Candidate = Omit<ShownValue, 'schema'> & { readonly schema: unknown };

function examplesIn(node: Record<string, unknown>, schema: unknown): Candidate[] {
  return [exampleOf(schema, node['example'], node, 'example')];
}

function exampleOf(schema: unknown, value: unknown, node: object, key: string | number): Candidate {
  return { value, schema, node, key, what: 'example' };
}

/** Authors write null for none. An object by default is filled with the defaults in it. */
function isShown(candidate: Candidate): candidate is ShownValue {
  const { value, schema, what } = candidate;
  return value !== undefined && value !== null && isSchema(schema) && !(what === 'default' && isObject(value));
}
