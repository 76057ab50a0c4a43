import { isSchema, type OpenApiDocument, type Schema } from '../../../src/contract/document/openapi-document.ts';
import { invalidValues } from './invalid.ts';
import { boundaryValues, flatten, list, typesOf, type Value } from './values.ts';

/** JSON bodies for a schema: valid ones at its boundaries, and ones that break it in one place. */
export interface Bodies {
  readonly valid: readonly Value[];
  readonly invalid: readonly Value[];
}

/**
 * Derives bodies from a schema. `base` is a valid body, in which one place at a time is changed.
 */
export function bodiesOf(document: OpenApiDocument, schema: Schema, base: Value): Bodies {
  const flat = flatten(document, schema);
  const branches = branchesOf(document, flat);
  if (branches.length > 0) return { valid: [base], invalid: beyondBranches(branches) };
  if (isObject(base) && isSchema(flat['properties'])) return objectBodies(document, flat, flat['properties'], base);
  if (Array.isArray(base) && isSchema(flat['items'])) return arrayBodies(document, flat, flat['items'], base);
  const nothing = typesOf(flat).includes('null') ? [null] : [];
  return { valid: [base, ...boundaryValues(flat), ...nothing], invalid: invalidValues(flat) };
}

function objectBodies(
  document: OpenApiDocument,
  flat: Schema,
  properties: Record<string, unknown>,
  base: Record<string, Value>,
): Bodies {
  const required = list(flat['required']);
  const valid: Value[] = [base];
  const invalid: Value[] = [...invalidValues({ type: 'object' })];
  for (const [name, property] of Object.entries(properties)) {
    if (!isSchema(property)) continue;
    const { [name]: given, ...others } = base;
    (required.includes(name) ? invalid : valid).push(others);
    const nested = bodiesOf(document, property, given ?? sampleOf(document, property));
    valid.push(...nested.valid.map((value) => ({ ...base, [name]: value })));
    invalid.push(...nested.invalid.map((value) => ({ ...base, [name]: value })));
  }
  const extra = { ...base, 'never declared': true };
  (flat['additionalProperties'] === false ? invalid : valid).push(extra);
  return { valid, invalid };
}

function arrayBodies(document: OpenApiDocument, flat: Schema, items: Schema, base: readonly Value[]): Bodies {
  const { minItems, maxItems } = flat;
  const sample = base[0] ?? sampleOf(document, items);
  const nested = bodiesOf(document, items, sample);
  const repeat = (count: number): Value[] => Array.from({ length: count }, () => sample);
  const lengths =
    flat['uniqueItems'] === true ? [] : [minItems, maxItems].filter((length) => typeof length === 'number');
  const ends = lengths.filter((length) => length <= 1_000).map(repeat);
  return {
    valid: [[...base], ...nested.valid.map((value) => [value]), ...ends],
    invalid: [
      ...invalidValues({ type: 'array' }),
      ...nested.invalid.map((value) => [value]),
      ...(typeof maxItems === 'number' ? [repeat(maxItems + 1)] : []),
      ...(typeof minItems === 'number' && minItems > 0 ? [repeat(minItems - 1)] : []),
    ],
  };
}

/** The flattened schemas of a choice. */
function branchesOf(document: OpenApiDocument, flat: Schema): Schema[] {
  return [...list(flat['oneOf']), ...list(flat['anyOf'])].filter(isSchema).map((branch) => flatten(document, branch));
}

/** Values of types that no branch of a choice has. */
function beyondBranches(branches: readonly Schema[]): Value[] {
  const types = branches.flatMap(typesOf);
  if (branches.some((branch) => typesOf(branch).length === 0)) return [];
  return [
    ...(types.includes('null') ? [] : [null]),
    ...(types.includes('string') ? [] : ['text']),
    ...(types.includes('integer') || types.includes('number') ? [] : [12n]),
  ];
}

function sampleOf(document: OpenApiDocument, schema: Schema): Value {
  const flat = flatten(document, schema);
  const [branch] = branchesOf(document, flat);
  if (branch !== undefined) return sampleOf(document, branch);
  const [first] = boundaryValues(flat);
  if (first !== undefined) return first;
  return typesOf(flat).includes('array') ? [] : {};
}

function isObject(value: Value): value is Record<string, Value> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
