import type { IncomingHttpHeaders } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { RequestError } from '../../errors.ts';
import {
  isSchema,
  resolve,
  type OpenApiDocument,
  type Parameter,
  type ParameterLocation,
  type Schema,
} from '../document/openapi-document.ts';
import type { Contract, Operation } from '../document/load.ts';
import { Refused, together } from '../document/refusal.ts';
import { ExactJson } from '../numbers/exact-json.ts';
import { isNumeric, NumericReader } from '../numbers/numeric-reader.ts';
import { requireExactBounds } from '../validation/servable.ts';

/** The delimiter of an array in one text, by style (OpenAPI 3.1, "Style Values"). */
const DELIMITERS: Readonly<Record<string, string | RegExp>> = {
  form: ',',
  // A list in a header may have spaces around its commas (RFC 9110, section 5.6.1).
  simple: /[ \t]*,[ \t]*/,
  spaceDelimited: ' ',
  pipeDelimited: '|',
};
/** The supported styles by location; the first is the default. */
const STYLES: Readonly<Record<ParameterLocation, readonly string[]>> = {
  path: ['simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited'],
  header: ['simple'],
  cookie: [],
};
const LOCATION_NAMES = { path: 'Path parameter', query: 'Query parameter', header: 'Header', cookie: 'Cookie' };

/** The values of a request's parameters, by the names of the contract. */
export interface ParameterValues {
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
}

/** Parses the parameters of one operation. Absent ones get their default. */
export class Parameters {
  readonly #path: readonly ParameterReader[];
  readonly #query: readonly ParameterReader[];
  readonly #headers: readonly ParameterReader[];
  readonly #queryNames: ReadonlySet<string>;

  /** @throws Refused with every parameter that cannot be served exactly. */
  constructor(contract: Contract, operation: Operation) {
    const readers = together<ParameterReader[]>(
      ...operation.parameters.map(
        (parameter) => (): ParameterReader => new ParameterReader(contract.document, parameter),
      ),
    );
    const readersIn = (location: ParameterLocation): ParameterReader[] =>
      readers.filter((reader) => reader.location === location);
    this.#path = readersIn('path');
    this.#query = readersIn('query');
    this.#headers = readersIn('header');
    this.#queryNames = new Set([...this.#query.map(({ name }) => name), ...apiKeysInQuery(contract, operation)]);
  }

  /**
   * @param path percent-decoded texts. @param query the text after the `?`.
   * @throws RequestError invalidParameter, unknownQueryParameter or malformedUrl.
   */
  read(path: Readonly<Record<string, string>>, query: string, headers: IncomingHttpHeaders): ParameterValues {
    const texts = query === '' ? {} : this.#parseQuery(query);
    return {
      params: valuesOf(this.#path, path),
      query: valuesOf(this.#query, texts),
      headers: valuesOf(this.#headers, headers),
    };
  }

  #parseQuery(query: string): NodeJS.Dict<string | string[]> {
    try {
      decodeURIComponent(query);
    } catch (cause) {
      const message = "The query's percent-encoding must be UTF-8, two hexadecimal digits after each %.";
      throw new RequestError('malformedUrl', message, { cause });
    }
    const texts = parseQuery(query, '&', '=', { maxKeys: 0 });
    for (const [name, text] of Object.entries(texts)) {
      if (!this.#queryNames.has(name)) {
        const message = `The query parameter '${name}' is not in the contract: leave it out.`;
        throw new RequestError('unknownQueryParameter', message);
      }
      if (text === '') {
        throw new RequestError('invalidParameter', `Query parameter '${name}' must have a value, or be left out.`);
      }
    }
    return texts;
  }
}

/** Parses one parameter. */
class ParameterReader {
  readonly name: string;
  readonly location: ParameterLocation;
  /** The key of its text. */
  readonly key: string;
  /** Parses the value, or each item of an array. */
  readonly #reader: ScalarReader;
  readonly #isArray: boolean;
  /** The delimiter of an array's items; undefined when each item has its own text. */
  readonly #delimiter: string | RegExp | undefined;
  readonly #default: unknown;

  constructor(document: OpenApiDocument, parameter: Parameter) {
    const { name, in: location, allowEmptyValue, explode, schema: declared } = parameter;
    this.name = name;
    this.location = location;
    this.key = location === 'header' ? name.toLowerCase() : name;
    const refuse = (key: string, reason: string): never => {
      throw new Refused([{ node: parameter, key, reason: `${location} parameter '${name}': ${reason}` }]);
    };
    if (allowEmptyValue === true) refuse('allowEmptyValue', 'allowEmptyValue is not served: leave it out.');
    const schema = followed(
      document,
      declared ?? refuse('content', "parameters with 'content' are not served: use 'schema'."),
    );
    const style = styleOf(parameter, refuse);
    this.#isArray = schema.type === 'array';
    this.#reader = scalarReader(this.#isArray ? itemsOf(document, schema, refuse) : schema, refuse);
    const isExploded = location === 'query' && (explode ?? style === 'form');
    this.#delimiter = isExploded ? undefined : DELIMITERS[style];
    this.#default = new ExactJson(document).defaultOf(schema);
  }

  /**
   * @param given the text or texts in the request.
   * @returns undefined without a text and a default.
   * @throws RequestError invalidParameter.
   */
  read(given: string | readonly string[] | undefined): unknown {
    if (given === undefined) return Array.isArray(this.#default) ? [...(this.#default as unknown[])] : this.#default;
    if (!this.#isArray) return this.#value(given, this.name);
    const items = typeof given === 'string' ? this.#split(given) : given;
    return items.map((item, index) => this.#value(item, `${this.name}/${index}`));
  }

  #split(text: string): string[] {
    return this.#delimiter === undefined ? [text] : text.split(this.#delimiter);
  }

  #value(text: string | readonly string[], place: string): unknown {
    const value = typeof text === 'string' ? this.#reader.read(text) : undefined;
    if (value !== undefined) return value;
    const requirement = typeof text === 'string' ? this.#reader.requirement : 'must be given once';
    throw new RequestError('invalidParameter', `${LOCATION_NAMES[this.location]} '${place}' ${requirement}.`);
  }
}

/** Parses a text as one type. */
interface ScalarReader {
  /** The value; undefined for a text of another type. */
  read(text: string): string | number | bigint | boolean | undefined;
  readonly requirement: string;
}

const TEXT_READER: ScalarReader = { read: (text) => text, requirement: 'must be a text' };
const BOOLEAN_READER: ScalarReader = {
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  requirement: 'must be true or false',
};

/** The reader for a scalar schema. A text cannot be null, so a nullable parameter is optional. */
function scalarReader(schema: Schema, refuse: (key: string, reason: string) => never): ScalarReader {
  const types = [schema.type].flat().filter((type) => type !== undefined && type !== 'null');
  const [type = ''] = types;
  const isCombined = ['oneOf', 'anyOf', 'allOf', 'not', 'if'].some((key) => key in schema);
  if (types.length !== 1 || type === 'object' || type === 'array' || isCombined) {
    refuse('schema', 'objects and combinations are not served: give it one type, a scalar or an array of scalars.');
  }
  requireExactBounds(schema, (_key, reason) => refuse('schema', reason));
  if (isNumeric(schema)) return new NumericReader(schema);
  return type === 'boolean' ? BOOLEAN_READER : TEXT_READER;
}

/** The style of a parameter: its own, or the default of its location. */
function styleOf({ in: location, style }: Parameter, refuse: (key: string, reason: string) => never): string {
  const [preset, ...others] = STYLES[location];
  if (preset === undefined)
    return refuse('in', `${location} parameters are not served: put it in a header or the query.`);
  if (style === undefined || style === preset || others.includes(style)) return style ?? preset;
  return refuse('style', `the style ${style} is not served in a ${location}: use ${STYLES[location].join(' or ')}.`);
}

/** A schema with its reference resolved; keywords beside the reference take precedence. */
function followed(document: OpenApiDocument, schema: Schema): Schema {
  const { $ref, ...siblings } = schema;
  return $ref === undefined ? schema : { ...resolve<Schema>(document, { $ref }), ...siblings };
}

function itemsOf(document: OpenApiDocument, { items }: Schema, refuse: (key: string, reason: string) => never): Schema {
  return isSchema(items)
    ? followed(document, items)
    : refuse('schema', "an array must have 'items': say what they are.");
}

/** The values of the parameters that have one. */
function valuesOf(
  readers: readonly ParameterReader[],
  texts: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const reader of readers) {
    const value = reader.read(Object.hasOwn(texts, reader.key) ? texts[reader.key] : undefined);
    if (value !== undefined) values[reader.name] = value;
  }
  return values;
}

/** API keys in the query: known names that are not parameters of the operation. */
function apiKeysInQuery({ document }: Contract, { security }: Operation): string[] {
  const schemes = document.components?.securitySchemes ?? {};
  const names = new Set(security.flatMap((requirement) => Object.keys(requirement)));
  return Object.entries(schemes)
    .filter(([scheme]) => names.has(scheme))
    .map(([, reference]) => resolve(document, reference))
    .flatMap((scheme) => (scheme.in === 'query' && scheme.name !== undefined ? [scheme.name] : []));
}
