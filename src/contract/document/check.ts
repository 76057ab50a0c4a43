import { messageOf } from '../../errors.ts';
import { isObject, list, METHODS, resolve, type OpenApiDocument, type Parameter } from './openapi-document.ts';
import type { Refusal } from './refusal.ts';

const SCHEMA_TYPES = new Set(['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']);
const LOCATIONS = ['path', 'query', 'header', 'cookie'];

/** The result of checking a document. */
export interface CheckedDocument {
  /** Undefined when its structure is too broken for further checks. */
  readonly document: OpenApiDocument | undefined;
  readonly refusals: readonly Refusal[];
}

/**
 * Checks a bundled OpenAPI document as a whole, before its operations are checked one by one. `npm
 * run generate` also lints the contract.
 */
export function checkDocument(bundled: unknown): CheckedDocument {
  return new DocumentCheck().check(bundled);
}

type Key = string | number;

class DocumentCheck {
  readonly #refusals: Refusal[] = [];
  readonly #operationIds = new Set<string>();
  readonly #templates = new Map<string, string>();
  #breaks = 0;

  check(bundled: unknown): CheckedDocument {
    if (!isObject(bundled)) {
      this.#break({}, undefined, 'a contract must be an object with openapi, info and paths.');
      return this.#result(undefined);
    }
    const { openapi, info, paths } = bundled;
    if (typeof openapi !== 'string' || !openapi.startsWith('3.1.')) {
      const found = openapi === undefined ? 'nothing' : JSON.stringify(openapi);
      this.#break(bundled, 'openapi', `openapi must be a version 3.1.x, such as 3.1.0, not ${found}.`);
    }
    if (!isObject(info)) this.#break(bundled, 'info', 'info must be an object with title and version.');
    if (!isObject(paths)) this.#break(bundled, 'paths', 'paths must be an object with a path for each key.');
    if (this.#breaks > 0) return this.#result(undefined);
    // The three required parts exist; the steps below check the rest.
    const document = bundled as unknown as OpenApiDocument;
    this.#checkReferencesAndTypes(document, document, undefined, '');
    if (this.#breaks > 0) return this.#result(undefined);
    this.#checkServers(document);
    for (const path of Object.keys(document.paths)) this.#checkPath(document, path);
    return this.#result(document);
  }

  #result(document: OpenApiDocument | undefined): CheckedDocument {
    return { document: this.#breaks > 0 ? undefined : document, refusals: this.#refusals };
  }

  #refuse(node: object, key: Key | undefined, reason: string): void {
    this.#refusals.push({ node, key, reason });
  }

  /** Refuses values that would break later checks. */
  #break(node: object, key: Key | undefined, reason: string): void {
    this.#breaks += 1;
    this.#refuse(node, key, reason);
  }

  #checkServers({ servers = [] }: OpenApiDocument): void {
    servers.forEach((server: unknown, index) => {
      const url = isObject(server) ? server['url'] : undefined;
      const [node, key] = isObject(server) ? [server, 'url'] : [servers, index];
      if (typeof url !== 'string') this.#break(node, key, 'a server must have a url.');
      else if (!URL.canParse(url.replaceAll(/[{}]/g, ''), 'http://localhost')) {
        this.#break(node, key, `${url} is not a URL: write one such as https://example.com/v1.`);
      }
    });
  }

  #checkPath(document: OpenApiDocument, path: string): void {
    const { paths } = document;
    const refusePath = (reason: string): void => {
      this.#refuse(paths, path, reason);
    };
    const template = path.replaceAll(/\{[^}]+\}/g, '{}');
    const same = this.#templates.get(template);
    this.#templates.set(template, path);
    if (same !== undefined) {
      refusePath(`the path ${path} is the same as ${same}: put their methods under one of them.`);
    }
    if (!path.startsWith('/')) refusePath(`the path ${path} must begin with '/'.`);
    if (/[*()]|\}\{/.test(path)) {
      refusePath(`the path ${path} cannot be served: leave out '*', '(' and ')', and put text between two parameters.`);
    }
    const reference: unknown = paths[path];
    if (!isObject(reference)) {
      this.#break(paths, path, `the path ${path} must be an object with a method for each key.`);
      return;
    }
    const item: Record<string, unknown> = resolve(document, reference);
    this.#checkNoServers(item);
    for (const method of METHODS) {
      const key = method.toLowerCase();
      const operation = item[key];
      if (operation === undefined) continue;
      if (isObject(operation)) this.#checkOperation(document, path, item, operation, key);
      else this.#break(item, key, 'an operation must be an object.');
    }
  }

  #checkNoServers(node: Record<string, unknown>): void {
    if (!('servers' in node)) return;
    this.#refuse(
      node,
      'servers',
      'servers of a path or an operation are not served: declare them for the whole contract.',
    );
  }

  #checkOperation(
    document: OpenApiDocument,
    path: string,
    item: Record<string, unknown>,
    operation: Record<string, unknown>,
    method: string,
  ): void {
    this.#checkNoServers(operation);
    const { operationId, responses } = operation;
    if (operationId !== undefined && (typeof operationId !== 'string' || operationId === '')) {
      const [node, key] = 'operationId' in operation ? [operation, 'operationId'] : [item, method];
      this.#refuse(node, key, `${method.toUpperCase()} ${path} must have an operationId: its handler has that name.`);
    } else if (operationId !== undefined && this.#operationIds.has(operationId)) {
      const reason = `the operationId ${operationId} is the name of another operation too: rename one of them.`;
      this.#refuse(operation, 'operationId', reason);
    } else if (operationId !== undefined) this.#operationIds.add(operationId);
    if (isObject(responses)) this.#checkResponses(responses);
    else {
      const [node, key] = 'responses' in operation ? [operation, 'responses'] : [item, method];
      this.#break(
        node,
        key,
        `${method.toUpperCase()} ${path} must have responses, an object with a status for each key.`,
      );
    }
    this.#checkParameters(document, path, item, operation, method);
    const [owner, security] =
      operation['security'] === undefined ? [document, document.security ?? []] : [operation, operation['security']];
    this.#checkSecurity(document, owner, security);
  }

  #checkResponses(responses: Record<string, unknown>): void {
    for (const [status, response] of Object.entries(responses)) {
      if (!/^([1-5]\d\d|[1-5]XX|default)$/.test(status)) {
        const reason = `a status is a number such as 204, a range such as 4XX or 'default', not '${status}'.`;
        this.#refuse(responses, status, reason);
      }
      if (!isObject(response)) this.#break(responses, status, `the response ${status} must be an object.`);
    }
  }

  #checkParameters(
    document: OpenApiDocument,
    path: string,
    item: Record<string, unknown>,
    operation: Record<string, unknown>,
    method: string,
  ): void {
    const inPath = new Map<string, object>();
    const refused = new Set<string>();
    for (const owner of [item, operation]) {
      for (const [index, reference] of list(owner['parameters']).entries()) {
        if (!isObject(reference)) {
          this.#break(owner, 'parameters', `the parameter ${index} must be an object.`);
          continue;
        }
        const parameter: Partial<Parameter> = resolve(document, reference);
        const { name, in: location, schema, content } = parameter;
        if (typeof name !== 'string') this.#break(parameter, undefined, 'a parameter must have a name.');
        else if (!LOCATIONS.includes(location ?? '')) {
          refused.add(name);
          const [key, reason] = location === undefined ? [undefined, 'nowhere'] : ['in', `'${location}'`];
          this.#break(
            parameter,
            key,
            `the parameter '${name}' must be in path, query, header or cookie, not ${reason}.`,
          );
        } else if (!isObject(schema) && !isObject(content)) {
          this.#break(
            parameter,
            'schema' in parameter ? 'schema' : 'name',
            `the parameter '${name}' must have a schema.`,
          );
        } else if (location === 'path') inPath.set(name, parameter);
      }
    }
    const template = new Set([...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? ''));
    for (const name of template) {
      if (inPath.has(name) || refused.has(name)) continue;
      this.#refuse(item, method, `the parameters must declare '${name}', which is in the path ${path}.`);
    }
    for (const [name, parameter] of inPath) {
      if (template.has(name)) continue;
      const reason = `the parameter '${name}' is not part of the path ${path}: add {${name}} to it, or leave it out.`;
      this.#refuse(parameter, 'name', reason);
    }
  }

  #checkSecurity(document: OpenApiDocument, owner: object, security: unknown): void {
    if (!Array.isArray(security)) {
      this.#break(owner, 'security', 'security must be a list of requirements.');
      return;
    }
    const schemes = document.components?.securitySchemes ?? {};
    for (const requirement of security as unknown[]) {
      if (!isObject(requirement)) {
        this.#break(owner, 'security', 'security must be a list of objects.');
        continue;
      }
      for (const name of Object.keys(requirement)) {
        if (Object.hasOwn(schemes, name)) continue;
        this.#refuse(requirement, name, `components/securitySchemes has no '${name}': declare it there.`);
      }
    }
  }

  /** Checks every reference, and the `type` of every schema. */
  #checkReferencesAndTypes(document: OpenApiDocument, node: unknown, key: Key | undefined, place: string): void {
    if (Array.isArray(node)) {
      node.forEach((child, index) => {
        this.#checkReferencesAndTypes(document, child, index, `${place}/${index}`);
      });
      return;
    }
    if (!isObject(node)) return;
    if (typeof node['$ref'] === 'string') {
      try {
        resolve(document, node);
      } catch (error) {
        this.#break(node, '$ref', `${messageOf(error)} Name something that is in the contract.`);
      }
    }
    const isInSchemaPlace = /\/(schema|items|additionalProperties|(schemas|properties)\/[^/]+)$/.test(place);
    if (isInSchemaPlace && key !== undefined) this.#checkType(node);
    for (const [name, child] of Object.entries(node)) {
      if (['example', 'examples', 'default', 'enum', 'const'].includes(name)) continue;
      this.#checkReferencesAndTypes(document, child, name, `${place}/${name.replaceAll('/', '~1')}`);
    }
  }

  #checkType(schema: Record<string, unknown>): void {
    if (!('type' in schema)) return;
    const wrong = [schema['type']].flat().find((type) => typeof type !== 'string' || !SCHEMA_TYPES.has(type));
    if (wrong === undefined) return;
    const types = [...SCHEMA_TYPES].join(', ');
    this.#refuse(schema, 'type', `${JSON.stringify(wrong)} is not a type of JSON Schema: use ${types}.`);
  }
}
