import { isLosslessNumber, parse } from 'lossless-json';
import { RequestError } from '../../errors.ts';
import { isSchema, list, resolve, type OpenApiDocument, type Schema } from '../document/openapi-document.ts';
import { isInt64, NumericReader } from './numeric-reader.ts';

/** The schemas for one value: those that must hold, and those that may (oneOf, anyOf, if). */
interface Applicable {
  readonly certain: readonly Schema[];
  readonly possible: readonly Schema[];
}

/**
 * Schemas nested deeper than this are not followed: a schema that only refers to itself ends here.
 */
const MAX_DEPTH = 64;

/**
 * Gives the numbers of JSON values their exact values. An int64 becomes a `bigint`, any other
 * number a number; the schemas that apply to its place tell which.
 */
export class ExactJson {
  readonly #document: OpenApiDocument;

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  /**
   * Converts a value and fills in the defaults of absent properties.
   * @param value JSON whose numbers are `LosslessNumber`s, or a handler's own with `bigint`s.
   * @throws RequestError invalidBody when an int64 is out of its bounds, with its place as a JSON
   * pointer.
   */
  read(schema: Schema, value: unknown): unknown {
    return this.#convert(value, this.#applicable([schema], []), '');
  }

  /** The exact value of a schema's `default`; undefined when it has none. */
  defaultOf(schema: Schema): unknown {
    const { certain } = this.#applicable([schema], []);
    const preset = certain.find((one) => one['default'] !== undefined)?.['default'];
    // Read as if the client had sent it.
    return preset === undefined ? undefined : this.read(schema, parse(JSON.stringify(preset)));
  }

  #convert(value: unknown, schemas: Applicable, place: string): unknown {
    if (isLosslessNumber(value)) return exactNumber(value.value, schemas, place);
    if (typeof value === 'bigint') return exactNumber(String(value), schemas, place);
    if (Array.isArray(value)) {
      return value.map((item: unknown, index) =>
        this.#convert(item, this.#below(schemas, itemsOf(index)), `${place}/${index}`),
      );
    }
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, child]): [string, unknown] => {
      const at = `${place}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return [key, this.#convert(child, this.#below(schemas, propertyOf(key)), at)];
    });
    return Object.fromEntries([...this.#defaults(schemas, value), ...entries]);
  }

  /** Follows references and opens combinations. */
  #applicable(certain: readonly unknown[], possible: readonly unknown[], depth = 0): Applicable {
    if (depth > MAX_DEPTH) return { certain: [], possible: [] };
    const found = { certain: [] as Schema[], possible: [] as Schema[] };
    for (const node of certain.filter(isSchema)) {
      const nested = this.#applicable(this.#parts(node), choices(node), depth + 1);
      found.certain.push(node, ...nested.certain);
      found.possible.push(...nested.possible);
    }
    for (const node of possible.filter(isSchema)) {
      const nested = this.#applicable([], [...this.#parts(node), ...choices(node)], depth + 1);
      found.possible.push(node, ...nested.possible);
    }
    return found;
  }

  /** The schemas that hold wherever a schema does. */
  #parts({ $ref, allOf }: Schema): unknown[] {
    return [$ref === undefined ? undefined : resolve<Schema>(this.#document, { $ref }), ...list(allOf)];
  }

  #below({ certain, possible }: Applicable, step: (schema: Schema) => unknown[]): Applicable {
    return this.#applicable(certain.flatMap(step), possible.flatMap(step));
  }

  /** The validator would fill in a number for the default of an int64. */
  #defaults({ certain }: Applicable, value: object): [string, unknown][] {
    return certain
      .flatMap((schema): [string, unknown][] => Object.entries(schema['properties'] ?? {}))
      .filter(([key]) => !Object.hasOwn(value, key))
      .flatMap(([key, property]) => {
        const preset = isSchema(property) ? this.defaultOf(property) : undefined;
        return preset === undefined ? [] : [[key, preset]];
      });
  }
}

function choices({ oneOf, anyOf, then, else: otherwise }: Schema): unknown[] {
  return [...list(oneOf), ...list(anyOf), then, otherwise];
}

/** The schemas that one schema has for a property: by name, by pattern, or for all others. */
function propertyOf(key: string): (schema: Schema) => unknown[] {
  return ({ properties, patternProperties, additionalProperties }) => {
    const named: unknown[] = isSchema(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
    const patterns = Object.entries(patternProperties ?? {}).filter(([pattern]) => new RegExp(pattern, 'u').test(key));
    const found = [...named, ...patterns.map(([, schema]: [string, unknown]) => schema)];
    return found.length > 0 ? found : [additionalProperties];
  };
}

function itemsOf(index: number): (schema: Schema) => unknown[] {
  return ({ prefixItems, items }) => {
    const prefix = list(prefixItems);
    return [index < prefix.length ? prefix[index] : items];
  };
}

function exactNumber(text: string, { certain, possible }: Applicable, place: string): bigint | number {
  // JSON Schema calls 1.0 an integer.
  const integer = /^(-?\d+)(?:\.0+)?$/.exec(text)?.[1]?.replace(/^-0$/, '0');
  if (integer === undefined) return Number(text);
  if (certain.some(isInt64)) {
    // Bounds may stand in another part of an allOf than the type does.
    for (const reader of certain.map(int64Reader)) {
      if (reader.read(integer) !== undefined) continue;
      const what = place === '' ? 'The request body' : `The request body's ${place}`;
      throw new RequestError('invalidBody', `${what} ${reader.requirement}.`);
    }
    return BigInt(integer);
  }
  // If none of the alternatives fits, the validator refuses the number.
  const fits = possible.filter(isInt64).some((schema) => int64Reader(schema).read(integer) !== undefined);
  return fits ? BigInt(integer) : Number(text);
}

function int64Reader(schema: Schema): NumericReader {
  return new NumericReader({ ...schema, type: 'integer', format: 'int64' });
}
