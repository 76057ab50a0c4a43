import { sequenceFormat } from 'openapi-exact/contract';
import { schemaOf, type Argument, type ExampleMessages, type ExampleRequest } from './example-messages.ts';
import type { Schemas } from './json-schema.ts';
import { isObject, objectOf, writeJson, type Json, type JsonObject, textOf } from './json-value.ts';
import { styleOf } from './parameter-style.ts';
import { isXml, itemsBytes, TEXT, withFields, type MessageBody } from './message-body.ts';
import { boundaryValues } from './scalar-values.ts';
import { FlatSchemas } from './flat-schemas.ts';
import { validValue } from './generate-value.ts';
import { resolve } from './source-document.ts';

/** A request that breaks the contract in one place. */
export interface InvalidRequest {
  readonly name: string;
  readonly request: ExampleRequest;
}

/** At most so many bodies of one operation, each with another fault. */
const MOST_BODIES = 30;
const WRONG: readonly Json[] = [
  ...['no such thing', '', 'x'.repeat(5_000), '\u0001', true, 12_345.678, -1e12, 2n ** 64n, 0, null],
  ...[[], {}],
];
/** The longest text in a header or URL: the headers of a request have 8 KiB in all. */
const MOST_TEXT = 6_000;
const WRONG_TEXTS = WRONG.filter((value) => typeof value !== 'object' && value !== '').map(textOf);

/**
 * Derives invalid requests from a valid one: each changes one place, and the schema's judge says
 * that it is wrong in every reading.
 */
export function invalidRequests({ schemas }: ExampleMessages, valid: ExampleRequest): InvalidRequest[] {
  return [
    ...valid.arguments.flatMap((argument) => invalidArguments(schemas.request, valid, argument)),
    ...(valid.body === undefined ? [] : invalidBodies(schemas, valid, valid.body)),
    ...(valid.isAnonymousAllowed ? [] : [{ name: 'without credentials', request: { ...valid, credentials: [] } }]),
  ];
}

function invalidArguments(schemas: Schemas, valid: ExampleRequest, argument: Argument): InvalidRequest[] {
  const { parameter, value } = argument;
  const name = `${textOf(parameter['in'])} parameter ${textOf(parameter['name'])}`;
  const furtherArguments = valid.arguments.filter((candidate) => candidate !== argument);
  const isRequired = parameter['required'] === true && parameter['in'] !== 'path';
  const missing = isRequired
    ? [{ name: `without the ${name}`, request: { ...valid, arguments: furtherArguments } }]
    : [];
  if (isObject(value)) return missing;
  const given = (text: string): Argument => ({ parameter, value: Array.isArray(value) ? [text] : text });
  return [
    ...missing,
    ...wrongArguments(schemas, parameter).map((wrong) => ({
      name: `${name} ${wrong.slice(0, 40)}`,
      request: { ...valid, arguments: valid.arguments.map((each) => (each === argument ? given(wrong) : each)) },
    })),
  ];
}

/** Texts of a parameter, or of an item of its list, that are wrong in every reading. */
export function wrongArguments(schemas: Schemas, parameter: JsonObject): string[] {
  const schema = schemaOf(parameter);
  const target = objectOf(resolve(schemas.document.view, schema));
  // Without a type, any text can be a value.
  if (!('type' in target) || isObject(parameter['content'])) return [];
  const judge = schemas.judge(schema);
  const isHeader = parameter['in'] === 'header' || parameter['in'] === 'cookie';
  const item = new FlatSchemas(schemas.document, 0).flatten(target['items'] ?? schema, 0);
  return (
    [...boundaryValues(item), ...WRONG]
      .filter((wrong) => typeof wrong !== 'object' && wrong !== '')
      .map(textOf)
      // What is longer is refused as too large, whatever it is.
      .filter((text) => encodeURIComponent(text).length < MOST_TEXT)
      .filter((text) => !isHeader || /^[!-~]+( [!-~]+)*$/.test(text))
      .filter((text) => {
        // In this style a full stop separates values.
        if (styleOf(parameter).style === 'label' && text.includes('.')) return false;
        return [...readings(text), readings(text)]
          .flatMap((read) => [read, [read].flat()])
          .every((read) => judge(read) !== undefined);
      })
      .slice(0, 8)
  );
}

/** The types that a reader could read a text as. */
function readings(written: string): Json[] {
  const number = Number(written);
  return [
    written,
    ...(Number.isFinite(number) ? [number] : []),
    ...(/^(true|false)$/.test(written) ? [written === 'true'] : []),
    ...(/^(null)?$/.test(written) ? [null] : []),
  ];
}

function invalidBodies(
  { request, response }: ExampleMessages['schemas'],
  valid: ExampleRequest,
  body: MessageBody,
): InvalidRequest[] {
  const withBody = (name: string, changed: MessageBody | undefined): InvalidRequest => ({
    name: `body ${name}`,
    request: { ...valid, body: changed },
  });
  const raw = (text: string): MessageBody => ({ ...body, bytes: Buffer.from(text) });
  const unknown = 'application/x-never-declared';
  return [
    ...(valid.bodyIsRequired ? [withBody('missing', undefined)] : []),
    ...(valid.isAnyTypeAllowed || body.bytes.length === 0
      ? []
      : [withBody(`of the type ${unknown}`, { ...body, contentType: unknown })]),
    ...(body.kind === 'json' ? [withBody('cut', raw(`${body.bytes.toString()}}`))] : []),
    ...wrongValues(request, body).flatMap(([name, value]) => {
      if (body.kind !== 'items') return [withBody(name, raw(writeJson(value)))];
      // The fields of events are texts.
      const isWritten = Array.isArray(value) && sequenceFormat(body.declared) !== 'events';
      return isWritten ? [withBody(name, { ...body, bytes: itemsBytes(body.declared, value) })] : [];
    }),
    ...readOnlyValues(request, response, body).map(([name, value]) => withBody(name, raw(writeJson(value)))),
    ...wrongTexts(request, body).map((text) => withBody(text.slice(0, 40), raw(text))),
    ...wrongFields(request, body).map(([name, changed]) => withBody(name, changed)),
  ];
}

/** Texts that the schema refuses, where it allows any text. */
function wrongTexts(schemas: Schemas, { kind, schema, value, contentType }: MessageBody): string[] {
  const judge = schemas.judge(schema);
  // The value of a text is JSON.
  if (kind !== 'text' || isXml(contentType) || judge(value as Json) !== undefined) return [];
  return WRONG_TEXTS.filter((text) => readings(text).every((read) => judge(read) !== undefined)).slice(0, 5);
}

/** Forms with a field that is missing, undeclared or of a type that its text cannot mean. */
function wrongFields(schemas: Schemas, body: MessageBody): [string, MessageBody][] {
  if (body.fields === undefined) return [];
  const { value, mediaType } = body.fields;
  const judge = schemas.judge(body.schema);
  // The schema may be about the bytes of the body.
  if (judge(value) !== undefined) return [];
  const changed = [...Object.keys(value), 'never-declared']
    .filter((name) => !isObject(value[name]))
    .flatMap((name): [string, Json[]][] => {
      // A text with spaces may be several items.
      const given = WRONG_TEXTS.filter((text) => !Array.isArray(value[name]) || !text.includes(' '));
      return given.map((text) => [name, [text, ...readings(text), ...readings(text).map((read) => [read])]]);
    })
    .filter(([name, meant]) => meant.every((reading) => judge({ ...value, [name]: reading }) !== undefined))
    .map(([name, [text = '']]): [string, JsonObject] => [`/${name} ${textOf(text)}`, { ...value, [name]: text }]);
  const missing = Object.keys(value).map((name): [string, JsonObject] => {
    return [`/${name} missing`, Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))];
  });
  return [...missing.filter(([, changedValue]) => judge(changedValue) !== undefined), ...changed]
    .slice(0, MOST_BODIES)
    .map(([name, changedValue]) => [name.slice(0, 60), withFields(schemas, body, changedValue, mediaType)]);
}

/** The JSON values that differ from the valid one in one place, each with another fault. */
function wrongValues(schemas: Schemas, { kind, schema, value }: MessageBody): [string, Json][] {
  if (kind !== 'json' && kind !== 'items') return [];
  const judge = schemas.judge(schema);
  const found = new Map<string, [string, Json]>();
  // The value of a JSON body is JSON.
  for (const [name, changed] of changes(schemas, schema, value as Json)) {
    const fault = judge(changed);
    if (fault === undefined || found.has(fault)) continue;
    found.set(fault, [`${name} (${fault})`, changed]);
    if (found.size >= MOST_BODIES) break;
  }
  return [...found.values()];
}

/** The valid JSON value with a property that only responses have. */
function readOnlyValues(request: Schemas, response: Schemas, { kind, schema, value }: MessageBody): [string, Json][] {
  if (kind !== 'json' || !isObject(value as Json)) return [];
  return request.hidden(schema).flatMap(([name, property]): [string, Json][] => {
    const added = validValue(response, property, TEXT);
    // The value is an object of JSON, as asked above.
    return added === undefined ? [] : [[`with the readOnly /${name}`, { ...(value as JsonObject), [name]: added }]];
  });
}

/** Values that differ from a value in one place, valid and invalid ones, each with that place. */
export function* changes(schemas: Schemas, schema: Json, value: Json, path = ''): Generator<[string, Json]> {
  const flat = new FlatSchemas(schemas.document, 0).flatten(schema, 0);
  if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const { [name]: _, ...remaining } = value;
      yield [`${path}/${name} missing`, remaining];
    }
    yield [`${path} with another property`, { ...value, 'never declared': true }];
    for (const [name, child] of Object.entries(value)) {
      const property = objectOf(flat['properties'])[name] ?? {};
      for (const [where, changed] of changes(schemas, property, child, `${path}/${name}`)) {
        yield [where, { ...value, [name]: changed }];
      }
    }
  }
  if (Array.isArray(value)) {
    const [first] = value;
    yield [`${path} empty`, []];
    yield [`${path} repeated`, first === undefined ? [] : [first, first]];
    yield [`${path} longer`, Array.from({ length: 300 }, () => first ?? null)];
    if (first !== undefined) {
      for (const [where, changed] of changes(schemas, flat['items'] ?? {}, first, `${path}/0`)) {
        yield [where, [changed, ...value.slice(1)]];
      }
    }
  }
  for (const replacement of [...boundaryValues(flat), ...WRONG])
    yield [`${path} ${textOf(replacement).slice(0, 30)}`, replacement];
}
