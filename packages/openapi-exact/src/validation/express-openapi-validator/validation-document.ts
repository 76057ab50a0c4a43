import type { Contract, Operation } from '../../document/read-contract.ts';
import { bodyKind, essenceOf } from '../../http/media-type.ts';
import type { OpenApiDocument, Schema } from '../../schema/openapi-document.ts';
import { AmbiguousSchemas } from './ambiguous-schemas.ts';
import { isParameterGroup } from '../../parameters/locations.ts';
import { groupsIn, requestSchemas, responseSchemas, type MessageDirection } from '../../bodies/message-parts.ts';
import type { CustomFormats } from '../../schema/custom-formats.ts';
import { CurrentCheck } from './exact-message.ts';
import { BASE, Components } from './components.ts';
import { ValidatorFormats, type FormatRules } from './validator-formats.ts';
import { RememberedVerdicts } from './remembered-verdicts.ts';
import { SchemaRewriter } from './rewriting/schema-rewriter.ts';
import { STEPS } from './rewriting/steps.ts';

/** The schemas of an operation's messages, each one JSON object. */
type MessageSchemas = Readonly<Record<MessageDirection, Schema>>;

/** The description of a contract's operations for express-openapi-validator. */
export interface ValidationDocument {
  readonly operations: readonly MessageSchemas[];
  /** The schemas that those of operations refer to, by number. */
  readonly components: readonly Schema[];
  readonly formats: ValidatorFormats;
  /** What checks are made with, one after another. */
  readonly check: CurrentCheck;
  /** The schemas by which one value may be evaluated many times. */
  readonly ambiguous: AmbiguousSchemas;
}

/** The objects that copy schemas for a validator. */
export interface Copying extends Pick<ValidationDocument, 'formats' | 'check' | 'ambiguous'> {
  /** Of bodies of requests, and of parameters. */
  readonly requests: SchemaRewriter;
  readonly parameters: SchemaRewriter;
  readonly components: Components;
}

/**
 * @param roots the contract's schemas that lead to all that are copied.
 */
export function copying(
  document: OpenApiDocument,
  roots: readonly Schema[],
  rules: FormatRules,
  steps = STEPS,
): Copying {
  const check = new CurrentCheck();
  const formats = new ValidatorFormats(check, document, rules);
  const verdicts = new RememberedVerdicts(formats, check);
  const ambiguous = new AmbiguousSchemas(document, roots);
  const components = new Components(document, roots, ambiguous, check.constants, formats, verdicts);
  const requests = new SchemaRewriter(components, 'readOnly', steps);
  const parameters = new SchemaRewriter(components, undefined, steps);
  return { requests, parameters, components, formats, check, ambiguous };
}

/** The schema of the requests of an operation. @param index of the operation. */
export function requestMessage(
  { components, requests, parameters }: Copying,
  operation: Operation,
  index: number,
): Schema {
  const request = mapped(requestSchemas(components.document, operation), (schema, name) =>
    (isParameterGroup(name) ? parameters : requests).rewrite(schema),
  );
  return messageSchema(`request${index}`, {
    minProperties: 1,
    required: hasParts(operation) ? [] : groupsIn(request).filter((group) => !isOptional(operation, group)),
    properties: request,
  });
}

/**
 * Describes operations to express-openapi-validator. A whole message is one JSON object, since
 * exact values must not pass the validator's own conversion of texts.
 */
export function validationDocument(
  { document }: Contract,
  operations: readonly Operation[],
  customFormats: CustomFormats,
): ValidationDocument {
  const roots = operations.flatMap((operation) =>
    [requestSchemas(document, operation), responseSchemas(document, operation)].flatMap(Object.values<Schema>),
  );
  const made = copying(document, roots, { customFormats, hasPatterns: true });
  const { components, formats, check, ambiguous } = made;
  const responses = new SchemaRewriter(components, 'writeOnly');
  const messages = operations.map((operation, index): MessageSchemas => {
    const response = mapped(responseSchemas(document, operation), (schema) => responses.rewrite(schema));
    return {
      request: requestMessage(made, operation, index),
      response: messageSchema(`response${index}`, { minProperties: 1, properties: response }),
    };
  });
  components.complete();
  return { operations: messages, components: components.schemas, formats, check, ambiguous };
}

/** Whether a request may lack a group: the query where it is one value. */
function isOptional({ querystring }: Operation, group: string): boolean {
  return group === 'query' && querystring?.isRequired === false;
}

/** Whether multipart parts or the items of a sequence are checked apart from the parameters. */
function hasParts({ requestBody }: Operation): boolean {
  return Object.entries(requestBody?.content ?? {}).some(
    ([type, { itemSchema }]) => essenceOf(type) === '*/*' || bodyKind(type) === 'multipart' || itemSchema !== undefined,
  );
}

function messageSchema(anchor: string, schema: Schema): Schema {
  // `then` hides it from the search for texts to convert, which compiles what it finds.
  return { $id: `${BASE}#${anchor}`, if: true, then: { type: 'object', ...schema } };
}

/** The methods that the validator knows. */
const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'];

/** The path and method of an operation in {@link openApiDocument}. */
export function validatorRoute(index: number): { readonly path: string; readonly method: string } {
  return { path: String(Math.floor(index / METHODS.length)), method: METHODS[index % METHODS.length] ?? '' };
}

/** The statuses of the responses that describe the messages of each direction. */
export const MESSAGE_STATUSES = { request: 201, response: 200 } as const satisfies Record<MessageDirection, number>;

/**
 * The document for the validator. Both messages of an operation are responses, each of a status of
 * its own. Paths and components are lists, whose indices are their names: the validator searches a
 * whole document for identifiers at each compilation, except for lists.
 */
export function openApiDocument({ operations, components }: ValidationDocument): object {
  const paths: Record<string, object>[] = [];
  for (const [index, messages] of operations.entries()) {
    const { path, method } = validatorRoute(index);
    const responses = {
      [MESSAGE_STATUSES.request]: responseOf(messages.request),
      [MESSAGE_STATUSES.response]: responseOf(messages.response),
    };
    (paths[Number(path)] ??= {})[method.toLowerCase()] = { responses };
  }
  // The validator's parser would follow references within the contract's own `info`.
  return { openapi: '3.1.0', info: { title: '', version: '' }, paths, components: { schemas: components } };
}

function responseOf(schema: Schema): object {
  return { description: '', content: { 'application/json': { schema } } };
}

function mapped<T>(map: Readonly<Record<string, T>>, of: (value: T, name: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, of(value, name)]));
}
