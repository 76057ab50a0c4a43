// Shows schemas: the type of a value, its limits, and the fields of an object.
/* global LosslessJSON */
import { discriminatorValue, isDefaultOf, linkTo, schemaName, typesOf } from './contract.js';
import { element, folded } from './element.js';
import { isJson, textOf } from './example.js';
import { markdown } from './markdown.js';

/** The range of each integer format, exactly. */
const RANGES = {
  int32: ['-2147483648', '2147483647'],
  int64: ['-9223372036854775808', '9223372036854775807'],
  uint64: ['0', '18446744073709551615'],
};

/** A list of named values, such as the parameters of an operation or the fields of an object. */
export function valueList(rows) {
  return element('div', { class: 'rows' }, rows);
}

/** One named value: its name and type beside its description, limits and inner fields. */
export function valueRow(contract, { name, required, schema, description, deprecated }) {
  const followed = contract.follow(schema) ?? {};
  return element(
    'div',
    { class: 'row' },
    element(
      'div',
      {},
      element('code', { class: 'name' }, name),
      required === true && element('span', { class: 'required' }, ' required'),
      (deprecated ?? followed.deprecated) === true && element('span', { class: 'type' }, ' deprecated'),
      element('div', { class: 'type' }, typeView(contract, schema)),
    ),
    element(
      'div',
      {},
      markdown(description ?? followed.description),
      limits(contract, contract.unwrapped(schema)),
      inner(contract, schema),
    ),
  );
}

/** The type of a schema in words, with links to the schemas that have a name. */
export function typeView(contract, schema) {
  const name = schemaName(schema);
  const followed = contract.follow(schema);
  if (schema === true || schema === undefined) return ['any value'];
  if (schema === false) return ['no value'];
  if (name !== undefined && isComposite(contract, schema)) return [element('a', { href: linkTo.schema(name) }, name)];
  const alternatives = followed.oneOf ?? followed.anyOf;
  if (alternatives !== undefined) return joined(alternatives.map((alternative) => typeView(contract, alternative)));
  if (followed.allOf?.length === 1) return typeView(contract, followed.allOf[0]);
  if (followed.allOf !== undefined) return ['object'];
  const types = typesOf(followed).map((type) => {
    if (type === 'string' && isJsonText(followed))
      return ['JSON text of ', ...typeView(contract, followed.contentSchema)];
    if (type === 'array') return ['array of ', ...typeView(contract, followed.items)];
    return [followed.format === undefined || type === 'null' ? type : `${type}, ${followed.format}`];
  });
  if (types.length > 0) return joined(types);
  return [followed.const === undefined && followed.enum === undefined ? 'any value' : 'one of the values'];
}

/** The fields of an object, the items of an array, and the alternatives of a choice. */
export function fieldsOf(contract, schema) {
  const followed = contract.follow(schema) ?? {};
  const parts = [];
  const rows = propertiesOf(contract, followed).map(([name, property, required]) =>
    valueRow(contract, { name, required, schema: property }),
  );
  if (rows.length > 0) parts.push(valueList(rows));
  const alternatives = [...alternativesOf(followed), ...contract.heirsOf(schema)];
  if (alternatives.length > 0) {
    parts.push(
      element('p', { class: 'type' }, followed.anyOf === undefined ? 'One of:' : 'One or more of:'),
      ...alternatives.map((alternative) => alternativeView(contract, alternative, followed.discriminator)),
    );
  }
  const items = innerSchemas(followed).filter((item) => isComposite(contract, item));
  parts.push(...items.flatMap((item) => fieldsOf(contract, item)));
  return parts;
}

/** The fields of a schema on demand; undefined when it has none. */
export function inner(contract, schema) {
  if (!isComposite(contract, schema)) return undefined;
  // Named schemas may contain themselves: their fields are shown on demand.
  return folded(`Fields of ${titleOf(contract, schema)}`, () => fieldsOf(contract, schema), { class: 'inner' });
}

function alternativeView(contract, schema, discriminator) {
  if (!isComposite(contract, schema)) {
    return element(
      'div',
      { class: 'type' },
      typeView(contract, schema),
      limits(contract, contract.follow(schema) ?? {}),
    );
  }
  const value = discriminator && discriminatorValue(discriminator, schema);
  return folded(
    [
      titleOf(contract, schema),
      value &&
        element(
          'span',
          { class: 'type' },
          ` ${discriminator.propertyName}: ${value}${isDefaultOf(discriminator, schema) ? ', or none of these' : ''}`,
        ),
    ],
    () => [markdown(contract.follow(schema).description), ...fieldsOf(contract, schema)],
    { class: 'inner' },
  );
}

function titleOf(contract, schema) {
  const followed = contract.follow(schema) ?? {};
  const named = schemaName(schema) ?? followed.title;
  if (named !== undefined) return named;
  if (isJsonText(followed)) return schemaName(followed.contentSchema) ?? 'the JSON';
  return followed.items === undefined ? 'this object' : `each ${schemaName(followed.items) ?? 'item'}`;
}

/** Whether a schema has fields to show. One that contains itself has. */
function isComposite(contract, schema, depth = 0) {
  const followed = contract.follow(schema);
  if (!isObjectSchema(followed)) return false;
  if (followed.properties !== undefined || isObjectSchema(followed.additionalProperties) || depth === 9) return true;
  const parts = [...(followed.allOf ?? []), ...alternativesOf(followed), ...innerSchemas(followed)];
  return parts.some((part) => isComposite(contract, part, depth + 1));
}

/** The schemas of the items of an array, or of the value of a JSON text. */
function innerSchemas(followed) {
  const { prefixItems = [], items, contentSchema } = followed;
  return [...prefixItems, items, isJsonText(followed) ? contentSchema : undefined];
}

/** Whether a text is the JSON of a value that the contract describes. */
function isJsonText({ contentMediaType = '', contentSchema }) {
  return contentSchema !== undefined && isJson(contentMediaType);
}

function isObjectSchema(schema) {
  return typeof schema === 'object' && schema !== null;
}

function alternativesOf({ oneOf = [], anyOf = [] }) {
  return [...oneOf, ...anyOf];
}

/** Each property of an object and its `allOf`: name, schema, whether it is required. */
export function propertiesOf(contract, followed, outer = []) {
  if (outer.includes(followed)) return [];
  const { allOf = [], properties = {}, patternProperties = {}, additionalProperties, required = [] } = followed;
  const own = Object.entries(properties).map(([name, property]) => [name, property, required.includes(name)]);
  const others = Object.entries(patternProperties).map(([pattern, property]) => [`/${pattern}/`, property, false]);
  if (isObjectSchema(additionalProperties)) others.push(['any other name', additionalProperties, false]);
  const inherited = allOf.flatMap((part) => propertiesOf(contract, contract.follow(part) ?? {}, [...outer, followed]));
  const all = new Map();
  for (const [name, property, isRequired] of [...inherited, ...own, ...others]) {
    all.set(name, [name, property, isRequired || required.includes(name) || all.get(name)?.[2] === true]);
  }
  return [...all.values()];
}

/** What a schema demands of a single value, in one line for each. */
export function limits(contract, schema) {
  const lines = [range(schema), ...['Length', 'Items', 'Properties'].map((of) => count(schema, of))];
  const items = contract.follow(schema.items);
  if (schema.enum !== undefined) lines.push(['one of ', ...codes(schema.enum)]);
  if (items?.enum !== undefined) lines.push(['each one of ', ...codes(items.enum)]);
  if (schema.const !== undefined) lines.push(['always ', ...codes([schema.const])]);
  if (schema.pattern !== undefined) lines.push(['matches ', element('code', {}, schema.pattern)]);
  if (schema.multipleOf !== undefined) lines.push(`a multiple of ${schema.multipleOf}`);
  if (schema.uniqueItems === true) lines.push('no item twice');
  if (schema.readOnly === true) lines.push('in responses only');
  if (schema.writeOnly === true) lines.push('in requests only');
  if (schema.default !== undefined) lines.push(['default ', ...codes([schema.default])]);
  return lines.filter((line) => line !== undefined).map((line) => element('div', { class: 'type' }, line));
}

function range({ format, type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }) {
  const [least, most] = [type].flat().includes('integer') ? (RANGES[format] ?? []) : [];
  const low = minimum ?? (isNumber(exclusiveMinimum) ? exclusiveMinimum : least);
  const high = maximum ?? (isNumber(exclusiveMaximum) ? exclusiveMaximum : most);
  if (low === undefined && high === undefined) return undefined;
  // OpenAPI 3.0 has booleans here.
  const above = isNumber(exclusiveMinimum) || exclusiveMinimum === true ? 'more than ' : '';
  const below = isNumber(exclusiveMaximum) || exclusiveMaximum === true ? 'less than ' : '';
  if (low === undefined) return `${below || 'at most '}${high}`;
  if (high === undefined) return `${above || 'at least '}${low}`;
  return `${above}${low} … ${below}${high}`;
}

function count(schema, of) {
  const [least, most] = [schema[`min${of}`], schema[`max${of}`]].map((bound) => bound?.toString());
  if (least === undefined && most === undefined) return undefined;
  const noun = of === 'Length' ? 'characters' : of.toLowerCase();
  if (most === undefined) return `at least ${least} ${noun}`;
  if (least === most) return `${most} ${noun}`;
  return least === undefined ? `at most ${most} ${noun}` : `${least} … ${most} ${noun}`;
}

function isNumber(value) {
  return LosslessJSON.isLosslessNumber(value);
}

function codes(values) {
  return values.flatMap((value, index) => [index > 0 ? ', ' : '', element('code', {}, textOf(value, 'text/plain'))]);
}

function joined(lists) {
  return lists.flatMap((list, index) => (index > 0 ? [' or ', ...list] : list));
}
