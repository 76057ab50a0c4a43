import {
  isObject,
  isReference,
  isSchema,
  list,
  resolve,
  type OpenApiDocument,
  type ParameterLocation,
  type Schema,
} from '../document/openapi-document.ts';
import type { Contract, Operation } from '../document/load.ts';
import { Refused, together } from '../document/refusal.ts';
import { isInt64 } from '../numbers/numeric-reader.ts';
import { requireServable } from './servable.ts';

/** The only media type of a body. */
export const MEDIA_TYPE = 'application/json';

/** All types of JSON; a `bigint` matches none. */
const JSON_TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** The parameter location of each group in a validated request. */
const GROUPS = { params: 'path', query: 'query', headers: 'header' } as const satisfies Record<
  string,
  ParameterLocation
>;

/** The document that the validator of one operation is created from. */
export interface ValidationDocument {
  /**
   * A single operation, whose request body is a whole request: `params`, `query`, `headers` and
   * `body`.
   */
  readonly document: OpenApiDocument;
  /** The status in the document of each declared response with content. */
  readonly statuses: ReadonlyMap<string, number>;
}

/**
 * Describes one operation to express-openapi-validator. The whole request is one JSON body, since
 * exact values must not pass the validator's own conversion of texts.
 * @throws Refused with every body that cannot be served.
 */
export function validationDocument({ document }: Contract, operation: Operation): ValidationDocument {
  requireServableBodies(document, operation);
  const schemas = new SchemaCopies(document);
  const request = schemas.copy(requestSchema(operation));
  const statuses = new Map<string, number>();
  const responses: Record<string, unknown> = {};
  for (const [status, { content }] of Object.entries(operation.responses)) {
    if (content === undefined) continue;
    const response = { description: '', content: { [MEDIA_TYPE]: { schema: schemas.copy(jsonSchema(content)) } } };
    // The validator skips statuses from 500 on. Equal responses share one, which is compiled once.
    const same = Object.keys(responses).find((key) => JSON.stringify(responses[key]) === JSON.stringify(response));
    const standIn = Number(same ?? 200 + statuses.size);
    statuses.set(status, standIn);
    responses[standIn] = response;
  }
  const requestBody = { required: true, content: { [MEDIA_TYPE]: { schema: request } } };
  return {
    document: {
      openapi: document.openapi,
      info: document.info,
      // The copies come from the same places of the contract, which was checked at load.
      paths: { '/': { post: { operationId: operation.id, requestBody, responses } } } as OpenApiDocument['paths'],
      components: { schemas: schemas.components },
    },
    statuses,
  };
}

/** The schema of a whole request. */
function requestSchema({ parameters, requestBody }: Operation): Schema {
  const groups = Object.entries(GROUPS).map(([group, location]): [string, Schema] => {
    const own = parameters.filter((parameter) => parameter.in === location);
    return [
      group,
      {
        type: 'object',
        required: own.filter(({ required }) => required === true).map(({ name }) => name),
        properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
      },
    ];
  });
  const body = requestBody && jsonSchema(requestBody.content);
  return {
    type: 'object',
    required: Object.keys(GROUPS),
    properties: { ...Object.fromEntries(groups), ...(body && { body }) },
  };
}

/** The schema of a JSON body; without one, any value is valid. */
function jsonSchema(content: Content): Schema {
  return content[MEDIA_TYPE]?.schema ?? {};
}

type Content = Record<string, { schema?: Schema }>;

/** @throws Refused with every body, of the request or a response, that cannot be served. */
function requireServableBodies(document: OpenApiDocument, { requestBody, responses }: Operation): void {
  const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)].filter(
    (content) => content !== undefined,
  );
  together(
    ...contents.map((content) => (): void => {
      const types = Object.keys(content);
      if (types.length !== 1 || types[0] !== MEDIA_TYPE) {
        const key = types.find((type) => type !== MEDIA_TYPE);
        const reason = `only ${MEDIA_TYPE} is served as a body, not ${types.join(', ')}: declare ${MEDIA_TYPE} alone.`;
        throw new Refused([{ node: content, key, reason }]);
      }
      requireServable(document, content[MEDIA_TYPE]?.schema);
    }),
  );
}

/** Copies schemas of the contract; referenced schemas become components. */
class SchemaCopies {
  readonly components: Record<string, Schema> = {};
  readonly #document: OpenApiDocument;
  readonly #names = new Map<string, string>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  copy(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((one) => this.copy(one));
    if (!isSchema(node)) return node;
    if (isReference(node)) return this.#copyReference(node);
    if (isInt64(node)) {
      const isNullable = [node.type].flat().includes('null');
      return { not: { type: isNullable ? JSON_TYPES.filter((type) => type !== 'null') : JSON_TYPES } };
    }
    if (isDiscriminated(node)) return this.#copyDiscriminated(node);
    const entries = Object.entries(node).filter(([key]) => key !== 'example' && key !== 'examples');
    return Object.fromEntries(entries.map(([key, value]) => [key, this.copy(value)]));
  }

  #copyReference(reference: Schema & { $ref: string }): Schema {
    const { $ref, description: _, summary: __, ...siblings } = reference;
    const copied = { $ref: `#/components/schemas/${this.#nameOf($ref)}` };
    // The validator ignores keywords beside a reference.
    return Object.keys(siblings).length === 0 ? copied : { allOf: [copied, this.copy(siblings)] };
  }

  #nameOf($ref: string): string {
    const known = this.#names.get($ref);
    if (known !== undefined) return known;
    const own = /^#\/components\/schemas\/([\w.-]+)$/.exec($ref)?.[1];
    const name = own ?? `schema.${this.#names.size}`;
    this.#names.set($ref, name);
    // A copied Schema Object is a Schema Object.
    this.components[name] = this.copy(resolve<Schema>(this.#document, { $ref })) as Schema;
    return name;
  }

  /** Replaces a discriminator by conditions: the validator supports it for a whole body only. */
  #copyDiscriminated({ discriminator, oneOf, anyOf, ...others }: Discriminated): Schema {
    const { propertyName, mapping = {} } = discriminator;
    const alternatives = [...list(oneOf), ...list(anyOf)].filter(isReference).flatMap((reference) => {
      const { $ref } = reference;
      const mapped = Object.keys(mapping).filter((name) => mapping[name] === $ref);
      const names = mapped.length > 0 ? mapped : [$ref.slice($ref.lastIndexOf('/') + 1)];
      return names.map((name) => ({ name, schema: this.copy(reference) }));
    });
    const when = (condition: object): Schema => ({
      type: 'object',
      required: [propertyName],
      properties: { [propertyName]: condition },
    });
    return {
      allOf: [
        this.copy(others),
        when({ enum: alternatives.map(({ name }) => name) }),
        ...alternatives.map(({ name, schema }) => ({ if: when({ const: name }), then: schema })),
      ],
    };
  }
}

interface Discriminated extends Schema {
  discriminator: { propertyName: string; mapping?: Record<string, string> };
}

function isDiscriminated(schema: Schema): schema is Discriminated {
  const { discriminator, oneOf, anyOf } = schema;
  return isObject(discriminator) && typeof discriminator['propertyName'] === 'string' && Boolean(oneOf ?? anyOf);
}
