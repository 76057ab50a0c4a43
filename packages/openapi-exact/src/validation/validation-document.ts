import type { Contract, Operation } from '../document/load.ts';
import { getOrInsert } from '../get-or-insert.ts';
import { isSchema, type OpenApiDocument, type Schema } from '../document/openapi-document.ts';
import { reachableSchemas } from '../document/schema-graph.ts';
import type { Refusal } from '../document/refusal.ts';
import { GROUPS } from '../parameters/locations.ts';
import { contentSchema, groupSchema, valueSchema } from '../parameters/value-schema.ts';
import type { ExactJson } from './exact-json.ts';
import type { StandIns } from '../numbers/stand-ins.ts';
import { choicesOf, containedIn } from './choices.ts';
import { Formats } from './formats.ts';
import { SchemaCopies, separate } from './schema-copies.ts';

/** What the messages of several operations are checked with. */
export interface Schemas {
  readonly contract: Contract;
  readonly numbers: StandIns;
  readonly exact: ExactJson;
  /** Receives every schema that cannot be served. */
  readonly refusals: Refusal[];
}

/** What the validator checks of an operation: one JSON body for each direction. */
interface ValidatedOperation {
  readonly request: Schema;
  readonly response: Schema;
}

/** The document that the validator of several operations is created from. */
export interface ValidationDocument {
  readonly operations: readonly ValidatedOperation[];
  /**
   * Operation n of the group is the path `/n`. A whole request is one JSON body (`requestSchemas`),
   * and so is a whole response: an object with one property, named by {@link responseName}.
   */
  readonly document: OpenApiDocument;
  readonly formats: Formats;
  /** By alternatives of a schema, the properties of a response that have the same schema. */
  readonly alternatives: ReadonlyMap<Schema, string>;
}

/** The property of a validated request that holds a body of a media type. */
export function bodyName(mediaType: string): string {
  return `body ${mediaType}`;
}

/** The property of a validated response that holds a body of a media type. */
export function responseName(status: string, mediaType: string): string {
  return `${status} ${mediaType}`;
}

/** The property of a validated response that holds its headers. */
export function headersName(status: string): string {
  return `${status} headers`;
}

/**
 * Describes operations to express-openapi-validator. Requests are JSON bodies, since exact values
 * must not pass the validator's own conversion of texts.
 */
export function validationDocument(schemas: Schemas, operations: readonly Operation[]): ValidationDocument {
  const { contract, numbers, refusals } = schemas;
  const components: Record<string, Schema> = {};
  const formats = new Formats(numbers);
  const targets = { document: contract.document, numbers, formats, components, refusals };
  const requests = new SchemaCopies(targets, 'readOnly');
  const responses = new SchemaCopies(targets, 'writeOnly');
  const parameters = new SchemaCopies(targets, undefined);
  const alternatives = new Map<Schema, string>();
  const validated = operations.map((operation): ValidatedOperation => {
    const request = requestSchemas(contract.document, operation);
    const answers = mapped(responseSchemas(contract.document, operation), (schema) => responses.copy(schema));
    // Operations share alternatives behind references.
    const choices = alternativesIn(schemas, Object.values(request)).map((alternative) => [
      getOrInsert(alternatives, alternative, () => `alternative ${alternatives.size}`),
      requests.copy(alternative),
    ]);
    const values = mapped(request, (schema, name) =>
      (Object.hasOwn(GROUPS, name) ? parameters : requests).copy(schema),
    );
    return {
      request: { type: 'object', required: Object.keys(GROUPS), properties: values },
      response: { type: 'object', minProperties: 1, properties: { ...answers, ...Object.fromEntries(choices) } },
    };
  });
  return { document: documentOf(validated, components), operations: validated, formats, alternatives };
}

/** How many schemas are merged into one: the time to compile it grows with the square. */
const MERGED = 30;

/** The same with one operation, whose messages have each distinct part of all operations' own. */
export function mergedDocument(all: ValidationDocument): ValidationDocument {
  const components: Record<string, Schema> = { ...all.document.components?.schemas };
  let count = 0;
  const merge = (schemas: readonly Schema[]): Schema => {
    // Behind references, each schema is a function of its own: a single one would take far longer.
    const properties = schemas.map((schema): [string, Schema] => {
      const name = `merged${count++}`;
      components[name] = separate(schema);
      return [name, { $ref: `#/components/schemas/${name}` }];
    });
    return { type: 'object', required: properties.map(([name]) => name), properties: Object.fromEntries(properties) };
  };
  const mergeAll = (schemas: readonly Schema[]): Schema => {
    const parts = schemas.flatMap((schema) => Object.values(schema['properties'] ?? {}).filter(isSchema));
    const distinct = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
    const starts = distinct.map((_, index) => index).filter((index) => index % MERGED === 0);
    return merge(starts.map((start) => merge(distinct.slice(start, start + MERGED))));
  };
  const request = mergeAll(all.operations.map((operation) => operation.request));
  const response = mergeAll(all.operations.map((operation) => operation.response));
  const operations = [{ request, response }];
  return { ...all, operations, document: documentOf(operations, components) };
}

function documentOf(
  operations: readonly ValidatedOperation[],
  components: Readonly<Record<string, Schema>>,
): OpenApiDocument {
  const paths = operations.map(({ request, response }, index): [string, object] => {
    const post = {
      // Any type, since the validator would parse the Content-Type of each request.
      requestBody: { required: true, content: { '*/*': { schema: separate(request) } } },
      responses: { 200: { description: '', content: { 'application/json': { schema: separate(response) } } } },
    };
    return [`/${index}`, { post }];
  });
  return {
    // The validator's parser would follow references within the contract's own `info`.
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: Object.fromEntries(paths),
    components: { schemas: components },
  };
}

/** The schema of each parameter group and body of a request, in the contract's own schemas. */
export function requestSchemas(document: OpenApiDocument, operation: Operation): Readonly<Record<string, Schema>> {
  const groups = Object.entries(GROUPS).map(([group, location]): [string, Schema] => {
    const own = operation.parameters.filter((parameter) => parameter.in === location);
    return [group, groupSchema(document, own)];
  });
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(
    ([mediaType, { schema }]): [string, Schema] => [
      bodyName(mediaType),
      contentSchema(document, mediaType, schema, ['json', 'form', 'multipart']),
    ],
  );
  return Object.fromEntries([...groups, ...bodies]);
}

function responseSchemas(document: OpenApiDocument, { responses }: Operation): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(responses).flatMap(([status, { headers, content = {} }]): [string, Schema][] => [
      [headersName(status), { type: 'object', properties: mapped(headers, (header) => valueSchema(document, header)) }],
      ...Object.entries(content).map(([mediaType, { schema }]): [string, Schema] => [
        responseName(status, mediaType),
        contentSchema(document, mediaType, schema),
      ]),
    ]),
  );
}

function mapped<T>(map: Readonly<Record<string, T>>, of: (value: T, name: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, of(value, name)]));
}

/** The alternatives in schemas between which int64s decide: the exact values depend on them. */
function alternativesIn({ contract, exact }: Schemas, schemas: readonly Schema[]): Schema[] {
  const found = new Set<Schema>();
  for (const schema of reachableSchemas(contract.document, schemas)) {
    const choosing = [schema, containedIn(schema)].filter((one) => one !== undefined);
    for (const one of choosing) {
      for (const alternatives of choicesOf(contract.document, one)) {
        if (alternatives.length === 1 || !exact.isDecisive(one, alternatives)) continue;
        for (const alternative of alternatives) found.add(alternative);
      }
    }
  }
  return [...found];
}
