import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats, { type FormatName } from 'ajv-formats';
import { isOfCustomFormat, NO_FORMATS, type CustomFormats } from 'openapi-exact/contract';
import { arrayOf, isObject, objectOf, rounded, textOf, type Json, type JsonObject } from './json-value.ts';
import { atPointer, resolve, type SourceDocument } from './source-document.ts';
import { expression } from './scalar-values.ts';

/** The direction of a message: requests leave readOnly properties out, responses writeOnly ones. */
export type Direction = 'request' | 'response';

/** The part of a document that its schemas need. */
export type Document = Pick<SourceDocument, 'view' | 'is30'>;

/** Why a value does not match a schema, by keyword; undefined for a value that matches. */
export type Judge = (value: Json) => string | undefined;

/** A keyword that does not hold for a part of a value. */
export type Fault = Pick<ErrorObject, 'keyword' | 'schemaPath' | 'instancePath' | 'params'>;

/** The formats of the OpenAPI registry that a validator checks. */
const FORMATS: FormatName[] = ['int32', 'date', 'date-time', 'duration', 'byte', 'uuid', 'uri', 'email'];

/** The keyword for a custom format: the validator would take it for one of texts or of numbers. */
const CUSTOM_FORMAT = 'customFormat';

const ID = 'contract:';
const COMPONENT = '#/components/schemas/';
const SCHEMAS_BY_NAME = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const SCHEMA_LISTS = ['allOf', 'oneOf', 'anyOf', 'prefixItems'];
const SCHEMAS = [
  ...['not', 'items', 'additionalProperties', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['unevaluatedProperties', 'unevaluatedItems', 'contentSchema'],
];

/** A pattern that does not compile accepts every text. */
const regExp = Object.assign((pattern: string) => expression(pattern) ?? /(?:)/, { code: 'expression' });

/**
 * Judges values by the schemas of a document, as JSON Schema and the OpenAPI version say, with a
 * validator that knows nothing of the library.
 */
export class Schemas {
  readonly document: Document;
  readonly #direction: Direction;
  readonly #formats: CustomFormats;
  readonly #ajv: Ajv | Ajv2020;
  readonly #judges = new Map<Json, Judge>();
  readonly #validators = new Map<Json, ValidateFunction>();
  readonly #inlining: string[] = [];

  /** @param formats whose texts the author's functions judge. */
  constructor(document: Document, direction: Direction, formats = NO_FORMATS) {
    this.document = document;
    this.#direction = direction;
    this.#formats = formats;
    this.#ajv = new (document.is30 ? Ajv : Ajv2020)({
      strict: false,
      validateSchema: false,
      code: { regExp },
      inlineRefs: false,
      multipleOfPrecision: 9,
      logger: false,
    });
    addFormats.default(this.#ajv, FORMATS);
    this.#ajv.addFormat('int64', {
      type: 'number',
      validate: (number) => Number.isInteger(number) && Math.abs(number) <= 2 ** 63,
    });
    this.#ajv.addFormat('uint64', {
      type: 'number',
      validate: (number) => Number.isInteger(number) && number >= 0 && number <= 2 ** 64,
    });
    this.#ajv.addKeyword({
      keyword: CUSTOM_FORMAT,
      validate: (format: string, value: unknown) =>
        (typeof value !== 'string' && typeof value !== 'number') || isOfCustomFormat(formats, format, String(value)),
    });
    const schemas = Object.entries(objectOf(objectOf(document.view['components'])['schemas']));
    this.#ajv.addSchema({
      $id: ID,
      $defs: Object.fromEntries(schemas.map(([name, schema]) => [name, this.#convert(schema)])),
    });
  }

  /**
   * The judge of a schema. One that the validator cannot compile or follow, such as a base that is
   * one of its heirs, finds every value right.
   */
  judge(schema: Json): Judge {
    const judge = this.#judges.get(schema) ?? this.#compile(schema);
    this.#judges.set(schema, judge);
    return judge;
  }

  /** Whether the author's functions take a text; undefined for a format without any. */
  ruleOf(format: Json | undefined): ((text: string) => boolean) | undefined {
    const { rules, codecs } = this.#formats;
    if (typeof format !== 'string' || (!rules.has(format) && !codecs.has(format))) return undefined;
    return (text) => isOfCustomFormat(this.#formats, format, text);
  }

  /** The faults of a value: of a choice that does not hold, those of all its branches. */
  faults(schema: Json, value: Json): readonly Fault[] {
    this.judge(schema);
    const validate = this.#validators.get(schema);
    return validate === undefined || isValid(validate, rounded(value)) ? [] : (validate.errors ?? []);
  }

  #compile(schema: Json): Judge {
    try {
      const validate = this.#ajv.compile(objectOf(this.#convert(schema)));
      this.#validators.set(schema, validate);
      return (value) => {
        if (isValid(validate, rounded(value))) return undefined;
        const [first] = validate.errors ?? [];
        return `${first?.instancePath ?? ''} ${first?.schemaPath ?? ''} ${first?.message ?? ''}`;
      };
    } catch {
      return () => undefined;
    }
  }

  /**
   * A schema of OpenAPI as one of JSON Schema.
   * @param outer the hidden properties of a schema with this one in its allOf.
   */
  #convert(schema: Json, outer: readonly string[] = []): Json {
    if (!isObject(schema)) return schema;
    const { $ref, ...beside } = schema;
    if (typeof $ref === 'string') {
      const target = this.#reference($ref);
      if (this.document.is30 || Object.keys(beside).length === 0) return target;
      return { allOf: [target, this.#convert(beside)] };
    }
    const hidden = new Set([...outer, ...this.hidden(schema).map(([name]) => name)]);
    const converted = Object.entries(schema).flatMap(([key, value]): [string, Json][] => {
      if (key === 'required' && Array.isArray(value)) {
        return [[key, value.filter((name) => typeof name !== 'string' || !hidden.has(name))]];
      }
      if (SCHEMAS_BY_NAME.includes(key)) {
        const named = Object.entries(objectOf(value)).map(([name, schema]): [string, Json] => [
          name,
          key === 'properties' && hidden.has(name) ? false : this.#convert(schema),
        ]);
        return [[key, Object.fromEntries(named)]];
      }
      if (SCHEMA_LISTS.includes(key)) {
        const branches = arrayOf(value).map((branch) => this.#convert(branch, key === 'allOf' ? [...hidden] : []));
        // A discriminator selects the branch, so that others may match as well.
        const isSelected = key === 'oneOf' && isSelecting(schema) && !('anyOf' in schema);
        return [[isSelected ? 'anyOf' : key, branches]];
      }
      if (SCHEMAS.includes(key)) return [[key, this.#convert(value)]];
      // Annotations and what belongs to OpenAPI; an $id would move the base of references.
      if (/^(x-|example|default$|discriminator$|xml$|externalDocs$|nullable$|\$id$|\$schema$)/.test(key)) return [];
      // The validator knows no enum that allows nothing.
      if (key === 'enum' && arrayOf(value).length === 0) return [['not', {}]];
      if (key === 'format' && this.ruleOf(value) !== undefined) return [[CUSTOM_FORMAT, value]];
      if (key === 'exclusiveMinimum' || key === 'exclusiveMaximum') return this.#exclusive(schema, key, value);
      return [[key, rounded(value)]];
    });
    const made = Object.fromEntries(converted);
    if (this.document.is30 && schema['nullable'] === true && typeof made['type'] === 'string') {
      made['type'] = [made['type'], 'null'];
    }
    return made;
  }

  /** OpenAPI 3.0 has the exclusive bounds of JSON Schema draft 4, which are flags. */
  #exclusive(schema: JsonObject, key: 'exclusiveMinimum' | 'exclusiveMaximum', value: Json): [string, Json][] {
    if (typeof value !== 'boolean') return [[key, rounded(value)]];
    const bound = schema[key === 'exclusiveMinimum' ? 'minimum' : 'maximum'];
    return value && bound !== undefined ? [[key, rounded(bound)]] : [];
  }

  #reference($ref: string): Json {
    if ($ref.startsWith(COMPONENT)) return { $ref: `${ID}#/$defs/${$ref.slice(COMPONENT.length)}` };
    if (!$ref.startsWith('#/')) return { $ref: `${ID}${$ref}` };
    const target = atPointer(this.document.view, $ref);
    if (target === undefined || this.#inlining.includes($ref)) return {};
    this.#inlining.push($ref);
    const converted = this.#convert(target);
    this.#inlining.pop();
    return converted;
  }

  /** The properties that messages of this direction leave out, with their schemas. */
  hidden(schema: Json, depth = 0): [string, Json][] {
    const target = objectOf(resolve(this.document.view, schema));
    const own = Object.entries(objectOf(target['properties'])).filter(([, property]) => this.isHidden(property));
    const parts = depth > 8 ? [] : arrayOf(target['allOf']).flatMap((part) => this.hidden(part, depth + 1));
    return [...own, ...parts];
  }

  /** Whether messages of this direction leave a property with this schema out. */
  isHidden(property: Json, depth = 0): boolean {
    const flag = this.#direction === 'request' ? 'readOnly' : 'writeOnly';
    const target = objectOf(resolve(this.document.view, property));
    const beside = this.document.is30 && '$ref' in objectOf(property) ? undefined : objectOf(property)[flag];
    if (beside === true || target[flag] === true) return true;
    return depth < 4 && arrayOf(target['allOf']).some((part) => this.isHidden(part, depth + 1));
  }
}

/** Whether a schema has a discriminator whose mapping leads to alternatives only. */
function isSelecting({ discriminator, oneOf }: JsonObject): boolean {
  const targets = Object.values(objectOf(objectOf(discriminator)['mapping']));
  const references = arrayOf(oneOf).map((branch) => textOf(objectOf(branch)['$ref']));
  const isReferred = (target: string): boolean =>
    references.some((reference) => reference === target || reference.endsWith(`/${target}`));
  return discriminator !== undefined && targets.map(textOf).every(isReferred);
}

function isValid(validate: ValidateFunction, value: unknown): boolean {
  try {
    return validate(value);
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}
