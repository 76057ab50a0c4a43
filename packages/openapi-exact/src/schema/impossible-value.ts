import { isAnnotation } from './annotations.ts';
import { fieldsOf, isObject, isSchema, list, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { partsOf } from './schema-graph.ts';

/** The most schemas that are looked at for one value: a search that takes more finds nothing. */
const MOST_STEPS = 1_000;

/**
 * True for a schema that no value fits: `false` or `not: {}`, types or constants that exclude each
 * other, or a property that is required and has no value. False where that is not obvious.
 */
export function isImpossible(document: OpenApiDocument, schema: unknown): boolean {
  return new ImpossibleValues(document).isImpossible([schema]);
}

const TYPES = ['object', 'string', 'integer', 'number', 'array', 'boolean', 'null'] as const;

class ImpossibleValues {
  readonly #document: OpenApiDocument;
  #steps = 0;

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  /** @param schemas that all hold for one value. */
  isImpossible(schemas: readonly unknown[]): boolean {
    if (schemas.includes(false)) return true;
    if (this.#steps++ > MOST_STEPS) return false;
    const parts = [...new Set(schemas.flatMap((schema) => partsOf(this.#document, schema)))];
    if (parts.some(({ not, allOf }) => allowsAll(not) || list(allOf).includes(false))) return true;
    const types = TYPES.filter((type) => parts.every((part) => allowsType(part, type)));
    if (types.length === 0) return true;
    if (constantsOf(parts)?.every((value) => !types.some((type) => isOfType(value, type))) === true) return true;
    const isObjectOnly = types.length === 1 && types[0] === 'object';
    return (isObjectOnly && this.#lacksProperty(parts)) || this.#lacksAlternative(parts);
  }

  /** Whether a required property has no value. */
  #lacksProperty(parts: readonly Schema[]): boolean {
    const required = new Set(parts.flatMap((part) => list(part['required'])));
    return [...required].some((name) => {
      const properties = parts.map((part) => fieldsOf(part['properties']));
      const schemas = properties.flatMap((declared) =>
        typeof name === 'string' && Object.hasOwn(declared, name) ? [declared[name]] : [],
      );
      // A property of the other direction is not required.
      const isHidden = schemas.some((schema) =>
        partsOf(this.#document, schema).some(({ readOnly, writeOnly }) => readOnly === true || writeOnly === true),
      );
      return !isHidden && schemas.length > 0 && this.isImpossible(schemas);
    });
  }

  #lacksAlternative(parts: readonly Schema[]): boolean {
    return parts.some((part) =>
      [part['oneOf'], part['anyOf']].some(
        (alternatives) =>
          Array.isArray(alternatives) &&
          alternatives.length > 0 &&
          alternatives.every((alternative) => this.isImpossible([...withoutChoices(parts), alternative])),
      ),
    );
  }
}

/** Parts as they hold beside an alternative of one of them. */
function withoutChoices(parts: readonly Schema[]): readonly Schema[] {
  return parts.map(({ oneOf: _, anyOf: __, allOf: ___, $ref: ____, ...rest }) => rest);
}

function allowsAll(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).every(isAnnotation));
}

function allowsType({ type }: Schema, name: (typeof TYPES)[number]): boolean {
  const types = [type].flat();
  return type === undefined || types.includes(name) || (name === 'integer' && types.includes('number'));
}

/**
 * The values that every `const` and `enum` allows; undefined without any, or where a value is not a
 * scalar.
 */
function constantsOf(parts: readonly Schema[]): readonly unknown[] | undefined {
  const lists = parts.flatMap(({ const: only, enum: allowed }) => [
    ...(only === undefined ? [] : [[only]]),
    ...(Array.isArray(allowed) ? [allowed as readonly unknown[]] : []),
  ]);
  const [first, ...others] = lists;
  if (lists.flat().some(isSchema) || lists.flat().some(Array.isArray)) return undefined;
  return first?.filter((value) => others.every((values) => values.includes(value)));
}

/** Whether a scalar is of a type. */
function isOfType(value: unknown, type: (typeof TYPES)[number]): boolean {
  if (value === null) return type === 'null';
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  return isNumber ? type === 'integer' || type === 'number' : typeof value === type;
}
