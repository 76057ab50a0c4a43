// Reads a contract of OpenAPI 3.0, 3.1 or 3.2 for the page. References stay within the document.
/* global URL */
import { streamOf } from './item-stream.js';
import { sectionsOf } from './markdown.js';
import { isNavigation, operationsOf, tagTree } from './tags.js';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
/** Methods with a field of their own since OpenAPI 3.2. */
const LATER_METHODS = ['query'];
/** OpenAPI ignores parameters for these headers: the media types and security schemes say them. */
const IGNORED_HEADERS = ['accept', 'content-type', 'authorization'];
const SCHEMA_REFERENCE = '#/components/schemas/';
/** A base for the URLs of servers. Only their paths are used. */
const ANY_HOST = new URL('http://service/');

/** A contract: its operations in the order of their tags, its schemas and resolved references. */
export class Contract {
  /** The tags that the contract describes, by name. */
  #tags;

  /**
   * @param spec the document; a number in it is a LosslessNumber.
   * @param place `url` of the document, `service` to whose URL the paths of the contract's servers
   *   are added unless `isMounted`, `client` the package with a client of this contract, if any,
   *   `formats` the classes of the client's values, `places` where they are.
   */
  constructor(spec, { url, service, isMounted, client, formats, places }) {
    this.spec = spec;
    this.url = url;
    this.service = service;
    this.isMounted = isMounted;
    this.client = client;
    this.formats = formats;
    this.places = places;
    this.info = spec.info;
    this.sections = sectionsOf(spec.info.description);
    this.schemas = Object.entries(spec.components?.schemas ?? {});
    this.securitySchemes = Object.entries(spec.components?.securitySchemes ?? {}).map(([name, scheme]) => [
      name,
      this.follow(scheme),
    ]);
    this.#tags = new Map((spec.tags ?? []).map((tag) => [tag.name, tag]));
    const operations = [...this.#readOperations(spec.paths), ...this.#readOperations(spec.webhooks, true)];
    this.tags = tagTree(spec, operations);
    this.operations = operationsOf(this.tags);
  }

  /** The target of a reference, merged with the fields beside it; other values unchanged. */
  follow(node) {
    let at = node;
    // A circle of references ends as well.
    for (let count = 0; typeof at?.$ref === 'string' && count < 100; count++) {
      const { $ref, ...beside } = at;
      const names = decodeURIComponent($ref.slice(2)).split('/');
      const found = names.reduce((in_, name) => in_?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], this.spec);
      at = { ...found, ...beside };
    }
    return at;
  }

  /**
   * A schema without what only wraps it: one `allOf`, or null beside one alternative.
   * @param levels so many wrappers at most are taken off, since a schema may refer to itself.
   */
  unwrapped(schema, levels = 10) {
    const { allOf = [], oneOf = [], anyOf = [], ...beside } = this.follow(schema) ?? {};
    const inner = [...allOf, ...oneOf, ...anyOf].filter((part) => this.follow(part)?.type !== 'null');
    if (beside.type !== undefined || inner.length !== 1 || levels === 1) return this.follow(schema) ?? {};
    return { ...this.unwrapped(inner[0], levels - 1), ...beside };
  }

  /** The schemas with a discriminator's schema in `allOf`, where that lists no alternatives. */
  heirsOf(schema) {
    const name = schemaName(schema);
    const { discriminator, oneOf, anyOf } = this.follow(schema) ?? {};
    if (name === undefined || discriminator === undefined || (oneOf ?? anyOf) !== undefined) return [];
    const isHeir = ([, { allOf = [] }]) => allOf.some((part) => schemaName(part) === name);
    return this.schemas.filter(isHeir).map(([heir]) => referenceTo(heir));
  }

  /** The tags that have a description. */
  get describedTags() {
    return (this.spec.tags ?? []).filter(({ description = '' }) => description.trim() !== '');
  }

  /** The requests that the service sends for an operation, each with the name of its callback. */
  callbacksOf({ callbacks }) {
    return Object.entries(callbacks).flatMap(([name, reference]) =>
      this.#readOperations(this.follow(reference), true).map((callback) => ({ ...callback, name })),
    );
  }

  /** The operations of paths, webhooks or a callback. The service sends webhooks and callbacks. */
  #readOperations(items = {}, isWebhook = false) {
    return Object.entries(items).flatMap(([path, reference]) => {
      const item = this.follow(reference);
      const { additionalOperations = {} } = this.isVersion32 ? item : {};
      const fixed = this.isVersion32 ? [...METHODS, ...LATER_METHODS] : METHODS;
      const definitions = [
        ...fixed.map((method) => [method.toUpperCase(), item[method]]),
        ...Object.entries(additionalOperations),
      ];
      return definitions
        .filter(([, definition]) => definition !== undefined)
        .map(([method, definition]) => ({
          ...this.#readOperation(path, item, method, definition),
          ...(isWebhook && { isWebhook, group: 'Webhooks' }),
        }));
    });
  }

  get isVersion32() {
    return /^3\.2(\.|$)/.test(this.spec.openapi);
  }

  #readOperation(path, item, method, definition) {
    const parameters = new Map();
    for (const reference of [...(item.parameters ?? []), ...(definition.parameters ?? [])]) {
      const parameter = this.#withContent(reference);
      // A whole query needs no name.
      if (parameter.in === 'querystring') parameter.name ??= 'query';
      if (parameter.in === 'header' && IGNORED_HEADERS.includes(parameter.name.toLowerCase())) continue;
      parameters.set(`${parameter.in} ${parameter.name}`, parameter);
    }
    const name = `${method} ${path}`;
    const tags = (definition.tags ?? []).map((tag) => this.#tags.get(tag) ?? { name: tag });
    return {
      id: definition.operationId ?? name,
      method,
      path,
      group: tags.find(isNavigation)?.name ?? 'Operations',
      labels: tags.filter((tag) => !isNavigation(tag)),
      // A summary may be missing, empty or a whole text.
      title: isTitle(definition.summary) ? definition.summary : (definition.operationId ?? name),
      description: isTitle(definition.summary)
        ? definition.description
        : [definition.summary, definition.description].filter(Boolean).join('\n\n'),
      externalDocs: definition.externalDocs,
      callbacks: definition.callbacks ?? {},
      deprecated: definition.deprecated === true,
      parameters: [...parameters.values()],
      body: this.#withContent(definition.requestBody),
      responses: Object.entries(definition.responses ?? {}).map(([status, value]) => [
        status,
        this.#withContent(value),
      ]),
      security: definition.security ?? this.spec.security ?? [],
      servers: this.#servers(definition.servers ?? item.servers ?? this.spec.servers ?? [{ url: '/' }]),
    };
  }

  /** A message or parameter with its media types, each of which may be a stream of items. */
  #withContent(reference) {
    const followed = this.follow(reference);
    if (followed?.content === undefined) return followed;
    const content = Object.entries(followed.content).map(([type, media]) => {
      const found = this.follow(media) ?? {};
      return [type, { ...found, stream: streamOf(this, type, found) }];
    });
    return { ...followed, content: Object.fromEntries(content) };
  }

  /**
   * The servers at the place that the page came from: behind an untrusted proxy, the service knows
   * itself by another name and path.
   * @returns `url` and `name` of each; servers that differ in their hosts are one without a name.
   */
  #servers(servers) {
    const { service } = this;
    // A mount path takes the place of the servers' own.
    if (this.isMounted) return [{ url: service.href.replace(/\/$/, '') }];
    const named = servers.map(({ url, name, variables = {} }) => {
      const filled = url.replaceAll(/\{([^}]+)\}/g, (_, name) => variables[name]?.default ?? '');
      const { pathname } = URL.canParse(filled, ANY_HOST) ? new URL(filled, ANY_HOST) : ANY_HOST;
      return { url: new URL(`.${pathname}`, service).href.replace(/\/$/, ''), name };
    });
    return [...new Set(named.map(({ url }) => url))].map((url) => {
      const [{ name }, ...others] = named.filter((server) => server.url === url);
      return { url, name: this.isVersion32 && others.length === 0 ? name : undefined };
    });
  }
}

function isTitle(summary) {
  return typeof summary === 'string' && summary !== '' && summary.length <= 80;
}

/** The name of the component that a schema refers to; undefined for a schema in place. */
export function schemaName(schema) {
  const reference = schema?.$ref;
  if (typeof reference !== 'string' || !reference.startsWith(SCHEMA_REFERENCE)) return undefined;
  return decodeURIComponent(reference.slice(SCHEMA_REFERENCE.length)).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A reference to a named schema. */
export function referenceTo(name) {
  return { $ref: SCHEMA_REFERENCE + encodeURIComponent(name) };
}

/** The value of a discriminator for a schema: a name in its mapping, or that of the schema. */
export function discriminatorValue({ mapping = {} }, schema) {
  const name = schemaName(schema);
  const isMapped = ([, target]) => target === name || schemaName({ $ref: target }) === name;
  return Object.entries(mapping).find(isMapped)?.[0] ?? name;
}

/** Whether a schema is the one of values that a discriminator names by no other value. */
export function isDefaultOf({ defaultMapping }, schema) {
  const name = schemaName(schema);
  return name !== undefined && (defaultMapping === name || schemaName({ $ref: defaultMapping }) === name);
}

/** The types of a schema; without `type`, those that its keywords imply. */
export function typesOf(schema) {
  if (schema?.type !== undefined) {
    const types = [schema.type].flat();
    return schema.nullable === true ? [...types, 'null'] : types;
  }
  if (schema?.properties !== undefined || schema?.additionalProperties !== undefined) return ['object'];
  if (schema?.contentSchema !== undefined) return ['string'];
  return schema?.items === undefined ? [] : ['array'];
}

/** Where the page shows something. */
export const linkTo = {
  operation: ({ id }) => `#operation/${encodeURIComponent(id)}`,
  schema: (name) => `#schema/${encodeURIComponent(name)}`,
  tag: (name) => `#tag/${encodeURIComponent(name)}`,
  section: ({ name }) => `#section/${encodeURIComponent(name)}`,
  authentication: '#authentication',
};
