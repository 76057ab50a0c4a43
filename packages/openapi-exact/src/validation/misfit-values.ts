import { parse, stringify } from 'lossless-json';
import type { Bundle } from '../document/bundle.ts';
import type { Contract, Operation } from '../document/load.ts';
import { bodyKind } from '../document/media-type.ts';
import { isObject, isReference, isSchema, list, resolve, type Schema } from '../document/openapi-document.ts';
import type { Refusal } from '../document/refusal.ts';
import { faultOf } from '../messages.ts';
import type { MismatchError } from '../response-error.ts';
import { ContractValidator, type Message } from './contract-validator.ts';
import { bodyName, responseName, type MessageDirection } from './validation-document.ts';

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

/**
 * Warnings of examples and defaults that their schemas refuse, as the service would refuse them in
 * a message. One that some message may have, a request, a response or a parameter, is right.
 */
export async function misfitValues(contract: Contract, nodes: Bundle['nodes']): Promise<readonly Refusal[]> {
  const shown = shownValues(contract, nodes);
  const batches = Array.from({ length: Math.ceil(shown.length / BATCH) }, (_, index) =>
    shown.slice(index * BATCH, (index + 1) * BATCH),
  );
  const operations = batches.map(operationWith);
  const validator = new ContractValidator(contract, operations);
  const found: Refusal[] = [];
  for (const [index, operation] of operations.entries()) {
    await validator.compile(operation);
    for (const [number, value] of (batches[index] ?? []).entries()) {
      const reason = fault(validator, operation, number, value);
      if (reason !== undefined) found.push({ node: value.node, key: value.key, reason });
    }
  }
  return found;
}

/** An operation whose messages may have each of these values by its number. */
function operationWith(values: readonly ShownValue[]): Operation {
  const content = Object.fromEntries(values.map(({ schema }, number) => [mediaType(number), { schema }]));
  return {
    id: '',
    method: 'POST',
    path: '',
    basePaths: [],
    security: [],
    // With content, which reading does not decide.
    parameters: values.map(({ schema }, number) => ({
      name: String(number),
      in: 'query',
      content: { 'application/json': { schema } },
    })),
    requestBody: { content },
    responses: { 200: { headers: {}, content } },
    definition: { operationId: '', responses: {} },
  };
}

function mediaType(number: number): string {
  return `application/${number}+json`;
}

/** What is wrong with a value in every message; undefined when it is right in one. */
function fault(
  validator: ContractValidator,
  operation: Operation,
  number: number,
  { value, what }: ShownValue,
): string | undefined {
  // As a message has it.
  const exact = parse(stringify(value) ?? 'null');
  const mismatch = mismatchOf(validator, operation, number, exact);
  if (mismatch === undefined) return undefined;
  // Authors also write an example of JSON as a text.
  const written = typeof value === 'string' ? parsed(value) : undefined;
  if (written !== undefined && mismatchOf(validator, operation, number, written) === undefined) return undefined;
  const place = mismatch.place.replace(`/query/${number}`, '');
  const subject = (name: string): string => (name === '' ? `the ${what}` : `the ${what} is not valid: ${name}`);
  return faultOf(subject, place, mismatch.requirement, place === '' ? value : undefined);
}

/** What every message with a value lacks. */
function mismatchOf(
  validator: ContractValidator,
  operation: Operation,
  number: number,
  value: unknown,
): MismatchError | undefined {
  const first = (direction: MessageDirection, message: Message): MismatchError | undefined =>
    validator.mismatches(operation, direction, message)[0];
  const type = mediaType(number);
  const inRequest = (): MismatchError | undefined => first('request', { query: {}, [bodyName(type)]: value });
  const inResponse = (): MismatchError | undefined => first('response', { [responseName('200', type)]: value });
  const inParameter = first('request', { query: { [number]: value } });
  return inParameter && inRequest() && inResponse() && inParameter;
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function shownValues({ document }: Contract, nodes: Bundle['nodes']): readonly ShownValue[] {
  const inSchemas = (nodes.get('schema') ?? []).flatMap((schema): Candidate[] => [
    { value: schema['default'], schema, node: schema, key: 'default', what: 'default' },
    ...examplesIn(schema, schema),
    ...list(schema['examples']).map((value, index) => exampleOf(schema, value, list(schema['examples']), index)),
  ]);
  const ofFields = [...(nodes.get('parameter') ?? []), ...(nodes.get('header') ?? [])];
  const withContent = [...ofFields, ...(nodes.get('requestBody') ?? []), ...(nodes.get('response') ?? [])];
  const media = withContent.flatMap(({ content }) =>
    Object.entries(isObject(content) ? content : {})
      .filter(([type]) => bodyKind(type) === 'json')
      .map(([, described]) => described)
      .filter(isObject),
  );
  const outside = [...ofFields, ...media].flatMap((node) => [
    ...examplesIn(node, node['schema']),
    ...Object.values(isObject(node['examples']) ? node['examples'] : {}).flatMap((named) => {
      const example = isReference(named) ? resolve<object>(document, named) : named;
      return isObject(example) ? [exampleOf(node['schema'], example['value'], example, 'value')] : [];
    }),
  ]);
  return [...inSchemas, ...outside].filter(isShown);
}

/** A value, or none, for a schema, or none. */
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
