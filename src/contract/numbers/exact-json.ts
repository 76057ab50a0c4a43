import { isLosslessNumber, parse } from 'lossless-json';
import { RequestError } from '../../errors.ts';
import { isSchema, list, resolve, type OpenApiDocument, type Schema } from '../document/openapi-document.ts';
import { isInt64, numericReader, type NumericReader } from './numeric-reader.ts';

/** The schemas that apply to a value: those that must hold, and those of which some must (oneOf, anyOf, if). */
interface Applicable {
  readonly certain: readonly Schema[];
  readonly possible: readonly Schema[];
}

/**
 * Gives the numbers of a JSON body, which were parsed as their texts, their values: an int64 becomes an exact `bigint`, every
 * other number a number. What kind it is tell the schemas that apply in its place.
 * @throws RequestError invalidBody when an int64 is out of its bounds, with its place as a JSON pointer.
 */
export function exactBody(document: OpenApiDocument, schema: Schema, body: unknown): unknown {
  return convert(body, applicable([schema], []), '');

  function convert(value: unknown, schemas: Applicable, place: string): unknown {
    if (isLosslessNumber(value)) return exactNumber(value.value, schemas, place);
    // A handler's own: it has to keep the bounds too.
    if (typeof value === 'bigint') return exactNumber(String(value), schemas, place);
    if (Array.isArray(value)) {
      return value.map((item: unknown, index) => convert(item, below(schemas, itemsOf(index)), `${place}/${index}`));
    }
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, child]): [string, unknown] => [
      key,
      convert(child, below(schemas, propertyOf(key)), `${place}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    ]);
    return Object.fromEntries([...defaults(schemas, value), ...entries]);
  }

  /** Follows references and opens combinations. */
  function applicable(certain: readonly unknown[], possible: readonly unknown[], depth = 0): Applicable {
    // Deeper than any contract in use: a schema that only refers to itself ends here.
    if (depth > 64) return { certain: [], possible: [] };
    const found = { certain: [] as Schema[], possible: [] as Schema[] };
    for (const [kind, nodes] of [
      ['certain', certain],
      ['possible', possible],
    ] as const) {
      for (const node of nodes) {
        if (!isSchema(node)) continue;
        const { $ref } = node;
        const all = [$ref === undefined ? undefined : resolve<Schema>(document, { $ref }), ...list(node['allOf'])];
        const some = [...list(node['oneOf']), ...list(node['anyOf']), node['then'], node['else']];
        const nested =
          kind === 'certain' ? applicable(all, some, depth + 1) : applicable([], [...all, ...some], depth + 1);
        found[kind].push(node);
        found.certain.push(...nested.certain);
        found.possible.push(...nested.possible);
      }
    }
    return found;
  }

  function below({ certain, possible }: Applicable, step: (schema: Schema) => unknown[]): Applicable {
    return applicable(certain.flatMap(step), possible.flatMap(step));
  }

  /** Properties that are absent and have a default; the validator would fill in numbers for its int64s. */
  function defaults({ certain }: Applicable, value: object): [string, unknown][] {
    return certain.flatMap((schema) =>
      Object.entries(schema['properties'] ?? {}).flatMap(([key, property]): [string, unknown][] => {
        if (Object.hasOwn(value, key)) return [];
        const schemas = applicable([property], []);
        const preset = schemas.certain.find((one) => one['default'] !== undefined)?.['default'];
        // As if the client had written it.
        return preset === undefined ? [] : [[key, convert(parse(JSON.stringify(preset)), schemas, `/${key}`)]];
      }),
    );
  }
}

/** The schemas that one schema has for a property: by name, by pattern, or for all others. */
function propertyOf(key: string): (schema: Schema) => unknown[] {
  return ({ properties, patternProperties, additionalProperties }) => {
    const named: unknown[] =
      isSchema(properties) && Object.hasOwn(properties, key) ? [(properties as Record<string, unknown>)[key]] : [];
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
  const readerOf = (schema: Schema): NumericReader => numericReader({ ...schema, type: 'integer', format: 'int64' });
  if (certain.some(isInt64)) {
    // Bounds may stand in another part of an allOf than the type does.
    for (const { read, requirement } of certain.map(readerOf)) {
      if (read(integer) !== undefined) continue;
      const what = place === '' ? 'The request body' : `The request body's ${place}`;
      throw new RequestError('invalidBody', `${what} ${requirement}.`);
    }
    return BigInt(integer);
  }
  // If none of the alternatives fits, the validator says so.
  const fits = possible.filter(isInt64).some((schema) => readerOf(schema).read(integer) !== undefined);
  return fits ? BigInt(integer) : Number(text);
}
