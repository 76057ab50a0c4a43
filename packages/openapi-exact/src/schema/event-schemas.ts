import { bodyKind } from '../http/media-type.ts';
import { discriminatedBy } from './choices.ts';
import { fieldsOf, isSchema, list, own, targetOf, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { MATCHING_VALUE, partsOf, reachableSchemas } from './schema-graph.ts';

/** What the contract declares for events whose data may be JSON. */
export interface EventSchemas {
  /** As they are checked: JSON in `data` is the property `json` of an object, which no text is. */
  readonly checked: Schema;
  /** As handlers and clients know them: `data` is a text, or the value of the JSON in it. */
  readonly typed: Schema;
  /** The names of events whose data is JSON, or whether it is JSON in all or in some. */
  readonly jsonData: 'all' | 'some' | readonly string[];
}

/**
 * The schemas of events whose `data` has a `contentSchema` and a `contentMediaType` of JSON
 * (OpenAPI 3.2, section 4.14.4.3); undefined where data is text.
 */
export function eventSchemas(document: OpenApiDocument, schema: Schema): EventSchemas | undefined {
  if (!hasJsonData(document, schema)) return undefined;
  const checked = new EventRewriter(document, (json) => {
    return { type: 'object', properties: { json }, required: ['json'], additionalProperties: false };
  });
  const typed = new EventRewriter(document, (json) => json);
  const schemas = { checked: checked.rewritten(schema, []), typed: typed.rewritten(schema, []) };
  const { hasTexts, names } = checked;
  return { ...schemas, jsonData: hasTexts ? (names ?? 'some') : 'all' };
}

function hasJsonData(document: OpenApiDocument, schema: unknown): boolean {
  const parts = isSchema(schema) ? [...reachableSchemas(document, [schema], MATCHING_VALUE)] : [];
  return parts.some(({ properties }) => jsonContents(document, own(properties, 'data')).length > 0);
}

/** The schemas of the JSON in a text. */
function jsonContents(document: OpenApiDocument, text: unknown): readonly unknown[] {
  return partsOf(document, text)
    .filter(({ contentMediaType }) => typeof contentMediaType === 'string' && bodyKind(contentMediaType) === 'json')
    .map(({ contentSchema }) => contentSchema)
    .filter((contentSchema) => contentSchema !== undefined);
}

/** The place in an event for one in its checked form, where JSON data are `{ json: value }`. */
export function placeInEvent(checked: string): string {
  return checked.replace(/^\/data\/json(?=\/|$)/, '/data');
}

/**
 * Writes schemas of events whose `data` is described where it is known to be JSON or text: in the
 * alternatives of a choice, if they differ.
 */
class EventRewriter {
  /** Whether data is a text in some alternative. */
  hasTexts = false;
  /** The names of events with JSON; undefined if an alternative with JSON tells none. */
  names: string[] | undefined = [];
  readonly #document: OpenApiDocument;
  readonly #jsonData: (json: Schema) => Schema;

  constructor(document: OpenApiDocument, jsonData: (json: Schema) => Schema) {
    this.#document = document;
    this.#jsonData = jsonData;
  }

  /**
   * @param inherited what the schemas around an alternative say of the text of `data`.
   * @param isRequired whether they require it.
   */
  rewritten(schema: Schema, inherited: readonly unknown[], isRequired = false): Schema {
    const parts = partsOf(this.#document, schema);
    const isNeeded = isRequired || parts.some(({ required }) => list(required).includes('data'));
    const texts = [...inherited, ...parts.map(({ properties }) => own(properties, 'data'))];
    const contents = texts.flatMap((text) => jsonContents(this.#document, text));
    if (contents.length > 0) {
      this.#addNames(parts);
      const [only = {}, ...others] = contents.map((content) => (content === false ? { not: {} } : asSchema(content)));
      const json = others.length === 0 ? only : { allOf: [only, ...others] };
      return withData(this.#withoutData(schema, asSchema), this.#jsonData(json), isNeeded);
    }
    if (parts.some((part) => choicesOf(part).some((choice) => hasJsonData(this.#document, choice)))) {
      return this.#withoutData(schema, (alternative) => this.rewritten(asSchema(alternative), texts, isNeeded));
    }
    this.hasTexts = true;
    return withData(schema, { type: 'string', allOf: inherited.filter(isSchema) }, isNeeded);
  }

  /** A schema that says nothing of `data`, with other alternatives. */
  #withoutData(schema: Schema, alternativeOf: (alternative: unknown) => Schema): Schema {
    const { $ref, allOf, oneOf, anyOf, if: condition, then, else: otherwise, discriminator: _, ...others } = schema;
    const chosen = discriminatedBy(this.#document, schema)?.alternatives ?? [];
    const alternatives = (key: string, all: unknown): Schema => {
      if (!Array.isArray(all)) return {};
      const written = all.map((alternative: unknown) => {
        const values = chosen.find((named) => named.schema === alternative)?.values;
        const event = values === undefined ? [] : [{ required: ['event'], properties: { event: { enum: values } } }];
        return alternativeOf(event.length === 0 ? alternative : { allOf: [alternative, ...event] });
      });
      return { [key]: written };
    };
    const isConditional = isSchema(condition);
    const parts = [...list(allOf), ...($ref === undefined ? [] : [targetOf(this.#document, $ref)])];
    return {
      ...others,
      ...(own(others['properties'], 'data') !== undefined && {
        properties: { ...fieldsOf(others['properties']), data: {} },
      }),
      ...(parts.length > 0 && { allOf: parts.map((part) => this.#withoutData(asSchema(part), alternativeOf)) }),
      ...alternatives('oneOf', oneOf),
      ...alternatives('anyOf', anyOf),
      ...(isConditional && { if: condition, then: alternativeOf(then ?? {}), else: alternativeOf(otherwise ?? {}) }),
    };
  }

  #addNames(parts: readonly Schema[]): void {
    const named = parts
      .flatMap(({ properties }) => partsOf(this.#document, own(properties, 'event')))
      .map(({ const: only, enum: several }) => (only === undefined ? several : [only]))
      .find((values) => values !== undefined);
    if (named === undefined) this.names = undefined;
    else this.names?.push(...list(named).filter((name) => typeof name === 'string'));
  }
}

/** The alternatives of a schema for the same value. */
function choicesOf({ oneOf, anyOf, then, else: otherwise }: Schema): readonly unknown[] {
  return [...list(oneOf), ...list(anyOf), then, otherwise];
}

function withData(schema: Schema, data: Schema, isRequired: boolean): Schema {
  return { allOf: [schema, { properties: { data }, ...(isRequired && { required: ['data'] }) }] };
}

function asSchema(value: unknown): Schema {
  return isSchema(value) ? value : value === false ? { not: {} } : {};
}
