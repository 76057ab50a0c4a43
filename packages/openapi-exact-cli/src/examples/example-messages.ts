import { NO_FORMATS } from 'openapi-exact/contract';
import { exactValue } from './exact-value.ts';
import { bodyOf, byPreference, isXml, type MessageBody } from './message-body.ts';
import { validValue } from './generate-value.ts';
import { Schemas, type Direction } from './json-schema.ts';
import { arrayOf, isObject, objectOf, parseJson, writeJson, type Json, type JsonObject, textOf } from './json-value.ts';
import { isJson, isScalar, styleOf, writableMembers, writeParameter } from './parameter-style.ts';
import {
  dataOf,
  examplesOf,
  isVersion32,
  operationAt,
  resolve,
  schemeName,
  type OperationKey,
  type SourceDocument,
} from './source-document.ts';

/** A parameter with a value for it. */
export interface Argument {
  readonly parameter: JsonObject;
  readonly value: Json;
}

/** A request before it is written. */
export interface ExampleRequest {
  readonly arguments: readonly Argument[];
  readonly body: MessageBody | undefined;
  readonly bodyIsRequired: boolean;
  /** Whether the contract allows a body of any media type. */
  readonly isAnyTypeAllowed: boolean;
  readonly credentials: readonly Credential[];
  readonly isAnonymousAllowed: boolean;
}

/** A response, and how a handler names it. */
export interface ExampleResponse {
  readonly status: number;
  /** The values of the headers, before they are written. */
  readonly headerValues: Readonly<Record<string, Json>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: MessageBody | undefined;
  /** Given by handlers where the contract leaves a choice. */
  readonly contentType: string | undefined;
  /** The name of the declared example, '' for one without name; undefined for a generated body. */
  readonly example: string | undefined;
}

/** Credentials of a security scheme in the place where they are sent. */
export interface Credential {
  readonly scheme: string;
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly value: string;
  /** The credentials that a verifier gets. */
  readonly credentials: Json;
}

/** A body with a declared example, and the name that the contract gives it. */
interface NamedExample {
  readonly name: string;
  readonly example: MessageBody;
}

/** Header parameters that the specification ignores, and headers that HTTP itself sets. */
const OWN_HEADERS =
  /^(accept|content-type|authorization|host|content-length|content-encoding|connection|transfer-encoding|expect|upgrade|te|trailer|keep-alive)$/i;

/** Makes valid messages for the operations of a document. */
export class ExampleMessages {
  readonly document: SourceDocument;
  readonly schemas: Readonly<Record<Direction, Schemas>>;
  readonly #mostExamples: number;

  /**
   * @param mostExamples at most so many declared examples of a response are returned.
   * @param formats that the author's functions judge.
   */
  constructor(document: SourceDocument, mostExamples = 8, formats = NO_FORMATS) {
    this.document = document;
    this.#mostExamples = mostExamples;
    this.schemas = {
      request: new Schemas(document, 'request', formats),
      response: new Schemas(document, 'response', formats),
    };
  }

  /** A request with every parameter and property. @throws Error that names a part without one. */
  request(operationKey: OperationKey): ExampleRequest {
    const { definition, parameters } = operationAt(this.document, operationKey);
    const { view } = this.document;
    const requestBody = objectOf(resolve(view, definition['requestBody']));
    const security = arrayOf(definition['security'] ?? view['security']).map(objectOf);
    const [chosen = {}] = security.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length);
    const credentials = withSharedHeaders(Object.keys(chosen).map((key) => this.credential(schemeName(key))));
    // A contract may declare what a security scheme reads as a parameter too.
    const sent = parameters.filter(
      ({ name, in: where }) =>
        (where !== 'path' || operationKey.path.includes(`{${textOf(name)}}`)) &&
        (where !== 'header' || !OWN_HEADERS.test(textOf(name))) &&
        !credentials.some(
          (credential) => credential.in === where && credential.name.toLowerCase() === textOf(name).toLowerCase(),
        ),
    );
    return {
      arguments: sent.flatMap((parameter) => this.#argument(parameter)),
      body: this.#body(requestBody, 'request', 'the request body'),
      bodyIsRequired: requestBody['required'] === true,
      isAnyTypeAllowed: Object.keys(contentOf(this.document, requestBody)).some((type) => type.includes('*')),
      credentials,
      isAnonymousAllowed:
        security.length === 0 || security.some((requirement) => Object.keys(requirement).length === 0),
    };
  }

  /**
   * The responses that an operation declares, with each of their media types, success first.
   * @throws Error when the body of the first one has no valid value.
   */
  responses(operationKey: OperationKey): readonly [ExampleResponse, ...ExampleResponse[]] {
    const { definition } = operationAt(this.document, operationKey);
    const responses = Object.entries(objectOf(definition['responses'])).filter(([key]) => !/^(x-|1)/.test(key));
    const rank = (key: string): number => ['2', 'd', '3', '4', '5'].indexOf(key[0] ?? '') + 1 || 9;
    const [found, ...furtherResponses] = responses.toSorted(([a], [b]) => rank(a) - rank(b));
    // An operation without responses may have any without a body.
    if (found === undefined) {
      return [
        { status: 200, headerValues: {}, headers: {}, body: undefined, contentType: undefined, example: undefined },
      ];
    }
    const keys = responses.map(([key]) => key);
    const [first, ...more] = this.#responsesOf(statusOf(found[0], keys), found[1]);
    if (first === undefined) throw new Error(`no valid value was found for the response ${found[0]}`);
    const further = furtherResponses.flatMap(([key, response]) => this.#responsesOf(statusOf(key, keys), response));
    return [first, ...more, ...further];
  }

  /** The responses an operation declares for a status: exactly, by range, or as the default. */
  responsesOfStatus(operationKey: OperationKey, status: number): ExampleResponse[] {
    const declared = this.#declaredResponse(operationKey, status);
    return declared === undefined ? [] : this.#responsesOf(status, declared.response);
  }

  #declaredResponse(
    operationKey: OperationKey,
    status: number,
  ): { readonly key: string; readonly response: Json } | undefined {
    const responses = objectOf(operationAt(this.document, operationKey).definition['responses']);
    const keys = [String(status), `${String(status)[0]}XX`, `${String(status)[0]}xx`, 'default'];
    const key = keys.find((name) => responses[name] !== undefined);
    return key === undefined ? undefined : { key, response: responses[key] ?? null };
  }

  #responsesOf(status: number, reference: Json): ExampleResponse[] {
    const declared = objectOf(resolve(this.document.view, reference));
    const content = contentOf(this.document, declared);
    const headers = Object.entries(objectOf(declared['headers'])).flatMap(([name, header]) =>
      this.#header(name, header),
    );
    const head = {
      status,
      headerValues: Object.fromEntries(headers.map(([name, , value]) => [name, value])),
      headers: Object.fromEntries(headers.map(([name, text]) => [name, text])),
    };
    const types = [204, 205, 304].includes(status) ? [] : byPreference(content);
    if (types.length === 0) return [{ ...head, body: undefined, contentType: undefined, example: undefined }];
    return types.flatMap((type) => {
      // XML is not served where JSON is an alternative to it.
      if (isXml(type) && types.some(isJson)) return [];
      const body = bodyOf(this.schemas.response, type, objectOf(content[type]));
      if (body === undefined) return [];
      const isChoice = body.declared.includes('*') || types.length > 1;
      const contentType = isChoice ? body.contentType : undefined;
      const examples = this.#examples(body, objectOf(content[type]));
      return [{ name: undefined, example: body }, ...examples].map(({ name, example }) => {
        return { ...head, body: example, contentType, example: name };
      });
    });
  }

  /** A body that the operation declares for a failure; undefined for none. */
  failure(operationKey: OperationKey, status: number): MessageBody | undefined {
    const declared = this.#declaredResponse(operationKey, status);
    if (declared === undefined) return undefined;
    const response = objectOf(resolve(this.document.view, declared.response));
    return this.#body(response, 'response', `the response ${declared.key}`);
  }

  /** The same body with each value that the contract gives as an example, if it is a valid one. */
  #examples(body: MessageBody, mediaType: JsonObject): NamedExample[] {
    if (body.kind === 'events') return [];
    const schemas = this.schemas.response;
    const schema = objectOf(body.schema);
    const named = Object.entries(objectOf(mediaType['examples'])).map(([name, example]): ShownExample => {
      return { name, ...this.#shown(body, objectOf(resolve(this.document.view, example))) };
    });
    const others = [schema['example'], ...arrayOf(schema['examples'])].map((value): ShownExample => ({
      name: '',
      value,
    }));
    const examples: NamedExample[] = [];
    for (const { name, value: given, text } of [{ name: '', value: mediaType['example'] }, ...named, ...others]) {
      if (examples.length === this.#mostExamples) break;
      if (text !== undefined) examples.push({ name, example: { ...body, value: text, bytes: Buffer.from(text) } });
      else if (given === undefined || schemas.judge(schema)(given) !== undefined) continue;
      else if (body.kind === 'json') {
        const value = exactValue(schemas, schema, given);
        examples.push({ name, example: { ...body, value, bytes: Buffer.from(writeJson(value)) } });
      } else if (body.kind === 'text' && typeof given === 'string') {
        examples.push({ name, example: { ...body, value: given, bytes: Buffer.from(given) } });
      }
    }
    return examples;
  }

  /** The value that an example shows or, since OpenAPI 3.2, the text of a body other than JSON. */
  #shown({ kind }: MessageBody, example: JsonObject): Omit<ShownExample, 'name'> {
    const { view } = this.document;
    const value = dataOf(view, example);
    const { serializedValue } = example;
    if (!isVersion32(view) || typeof serializedValue !== 'string') return { value };
    return kind === 'json' ? { value: value ?? parseJson(serializedValue) } : { value, text: serializedValue };
  }

  #body(owner: JsonObject, direction: Direction, name: string): MessageBody | undefined {
    const content = contentOf(this.document, owner);
    const types = byPreference(content);
    if (types.length === 0) return undefined;
    for (const type of types) {
      const body = bodyOf(this.schemas[direction], type, objectOf(content[type]));
      if (body !== undefined) return body;
    }
    throw new Error(`no valid value was found for ${name}`);
  }

  #header(name: string, reference: Json): [name: string, text: string, value: Json][] {
    const header = objectOf(resolve(this.document.view, reference));
    if (header['required'] !== true || /^content-type$/i.test(name)) return [];
    const value = this.#valueOf({ ...header, in: 'header' }, 'response');
    if (value === undefined) return [];
    const exact = exactValue(this.schemas.response, schemaOf(header), value);
    return [[name, writeParameter({ ...header, in: 'header', name }, value), exact]];
  }

  #argument(parameter: JsonObject): Argument[] {
    const value = this.#valueOf(parameter, 'request');
    const isNeeded = parameter['required'] === true || parameter['in'] === 'path';
    if (value !== undefined && (isNeeded || isDefined(parameter, value))) return [{ parameter, value }];
    if (!isNeeded) return [];
    throw new Error(`no valid value was found for the parameter ${textOf(parameter['name'])}`);
  }

  #valueOf(parameter: JsonObject, direction: Direction): Json | undefined {
    const declared = examplesOf(this.document.view, parameter);
    const isContent = isObject(parameter['content']);
    const text = textFor(parameter);
    const [schema, schemas] = [schemaOf(parameter), this.schemas[direction]];
    const make = (sample: string): Json | undefined => validValue(schemas, schema, sample, declared);
    const value = make(text);
    if (isForm(parameter) && isObject(value)) return writableMembers(value, true);
    if (typeof value !== 'object' || value === null || isContent) return value;
    // Separators inside of values would be ambiguous in lists.
    const unambiguous = make('ab') ?? value;
    if (!isObject(unambiguous)) return unambiguous;
    const writable = writableMembers(unambiguous, false);
    return schemas.judge(schema)(writable) === undefined ? writable : unambiguous;
  }

  /** The credentials that requests have for a security scheme. */
  credential(scheme: string): Credential {
    const schemes = objectOf(objectOf(this.document.view['components'])['securitySchemes']);
    const { type, in: place, name, scheme: http } = objectOf(resolve(this.document.view, schemes[scheme]));
    if (type === 'apiKey' && (place === 'query' || place === 'cookie' || place === 'header')) {
      const key = 'key-of-a-client';
      return { scheme, in: place, name: textOf(name), value: key, credentials: key };
    }
    const header = { scheme, in: 'header', name: 'Authorization' } as const;
    const authentication = type === 'http' ? textOf(http) : 'Bearer';
    if (authentication.toLowerCase() !== 'basic') {
      return { ...header, value: `${authentication} token-of-a-client`, credentials: 'token-of-a-client' };
    }
    const value = `Basic ${Buffer.from('user:password').toString('base64')}`;
    return { ...header, value, credentials: { username: 'user', password: 'password' } };
  }
}

/** An example of a body: its value, or its text. */
interface ShownExample {
  readonly name: string;
  readonly value: Json | undefined;
  readonly text?: string;
}

/** A status that a key of the responses describes, and no other key. */
function statusOf(key: string, keys: readonly string[]): number {
  if (/^\d{3}$/.test(key)) return Number(key);
  const isTaken = (status: number): boolean => keys.includes(String(status));
  const isRanged = (status: number): boolean => keys.some((key) => key.toUpperCase() === `${String(status)[0]}XX`);
  // Where a success is declared, default describes failures alone.
  const ofDefault = keys.some((declared) => declared.startsWith('2')) ? [4, 5] : [2, 4, 5, 3];
  const own = /^[1-5]/.test(key) ? [Number(key[0])] : ofDefault;
  const candidates = own.flatMap((first) => [0, 1, 2, 3, 9, 30, 50].map((rest) => first * 100 + rest));
  const free = candidates.find((status) => !isTaken(status) && (/^[1-5]/.test(key) || !isRanged(status)));
  return free ?? candidates[0] ?? 200;
}

/** An API key in the header of another scheme is all that the header holds. */
function withSharedHeaders(all: readonly Credential[]): Credential[] {
  return all.map((credential) => {
    const sharing = all.find(
      ({ in: where, name, credentials }) =>
        where === 'header' &&
        name.toLowerCase() === credential.name.toLowerCase() &&
        credentials !== credential.credentials,
    );
    const isWhole = credential.in === 'header' && credential.credentials === credential.value && sharing !== undefined;
    return isWhole ? { ...credential, value: sharing.value, credentials: sharing.value } : credential;
  });
}

/** The media types of a message. The map may be a reference and, in OpenAPI 3.2, each entry too. */
function contentOf({ view }: SourceDocument, owner: JsonObject): JsonObject {
  const content = Object.entries(objectOf(resolve(view, owner['content'])));
  return Object.fromEntries(content.map(([type, mediaType]) => [type, resolve(view, mediaType) ?? {}]));
}

export function schemaOf(parameter: JsonObject): Json {
  const [content] = Object.values(objectOf(parameter['content']));
  return parameter['schema'] ?? objectOf(content)['schema'] ?? {};
}

/** Whether a parameter is a query in the encoding of HTML (OpenAPI 3.2). */
function isForm(parameter: JsonObject): boolean {
  const [type = ''] = Object.keys(objectOf(parameter['content']));
  return parameter['in'] === 'querystring' && /^application\/x-www-form-urlencoded/i.test(type);
}

/** Texts that need care in the place of the parameter. */
function textFor(parameter: JsonObject): string {
  const [type = ''] = Object.keys(objectOf(parameter['content']));
  if (parameter['in'] === 'query') return isJson(type) ? 'a "b"&c' : "it's a+b, c&d=é";
  if (parameter['in'] === 'path' && styleOf(parameter).style === 'simple') return 'a b+é';
  return parameter['in'] === 'header' ? 'a b' : 'ab';
}

/** Whether the specification says how the value is written. */
function isDefined(parameter: JsonObject, value: Json): boolean {
  if (isObject(parameter['content'])) return true;
  if (Array.isArray(value))
    return value.length > 0 && value.every(isScalar) && styleOf(parameter).style !== 'deepObject';
  if (isObject(value)) return Object.keys(value).length > 0 && Object.values(value).every(isScalar);
  return isScalar(value) && styleOf(parameter).style !== 'deepObject' && writeJson(value) !== 'null';
}
