import { messageOf } from '../../errors.ts';
import { isObject, list, METHODS, resolve, type OpenApiDocument, type Parameter } from './openapi-document.ts';

const SCHEMA_TYPES = new Set(['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']);

/**
 * What is wrong with a bundled OpenAPI document, with its place as a JSON pointer, or undefined
 * when the service can run from it. The full lint, with line numbers, is `npm run generate`; this
 * is what must hold on the operator's machine.
 */
export function checkDocument(bundled: unknown): string | undefined {
  if (!isObject(bundled)) return 'it must be an object with openapi, info and paths.';
  if (typeof bundled['openapi'] !== 'string' || !bundled['openapi'].startsWith('3.1.')) {
    return `/openapi must be a version 3.1.x, such as 3.1.0, not ${JSON.stringify(bundled['openapi'])}.`;
  }
  if (!isObject(bundled['info'])) return '/info must be an object with title and version.';
  if (!isObject(bundled['paths'])) return '/paths must be an object with a path for each key.';
  // The three parts that every later step needs are there; the steps below look at the rest.
  const document = bundled as unknown as OpenApiDocument;
  try {
    checkServers(document);
    checkPaths(document);
    checkSchemas(document, '');
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function checkServers({ servers = [] }: OpenApiDocument): void {
  servers.forEach((server: unknown, index) => {
    if (!isObject(server) || typeof server['url'] !== 'string') throw new Error(`/servers/${index}/url must be a URL.`);
    if (!URL.canParse(server['url'].replaceAll(/[{}]/g, ''), 'http://localhost')) {
      throw new Error(`/servers/${index}/url is no URL: ${server['url']}.`);
    }
  });
}

function checkPaths(document: OpenApiDocument): void {
  const operationIds = new Set<string>();
  for (const [path, reference] of Object.entries(document.paths)) {
    const place = pointer('/paths', path);
    if (!path.startsWith('/')) throw new Error(`${place}: a path must begin with '/'.`);
    if (!isObject(reference)) throw new Error(`${place} must be an object with a method for each key.`);
    const item: Record<string, unknown> = resolve(document, reference);
    if ('servers' in item) throw new Error(`${place}/servers: only the servers of the whole contract are served.`);
    for (const method of METHODS) {
      const operation = item[method.toLowerCase()];
      if (operation === undefined) continue;
      checkOperation(document, path, item, operation, `${place}/${method.toLowerCase()}`, operationIds);
    }
  }
}

function checkOperation(
  document: OpenApiDocument,
  path: string,
  item: Record<string, unknown>,
  operation: unknown,
  place: string,
  operationIds: Set<string>,
): void {
  if (!isObject(operation)) throw new Error(`${place} must be an object.`);
  if ('servers' in operation) throw new Error(`${place}/servers: only the servers of the whole contract are served.`);
  const id = operation['operationId'];
  if (typeof id !== 'string' || id === '') throw new Error(`${place}/operationId must name the operation.`);
  if (operationIds.has(id)) throw new Error(`${place}/operationId: '${id}' is the name of another operation too.`);
  operationIds.add(id);
  if (!isObject(operation['responses'])) throw new Error(`${place}/responses must be an object.`);
  for (const [status, response] of Object.entries(operation['responses'])) {
    if (!/^([1-5]\d\d|[1-5]XX|default)$/.test(status)) {
      throw new Error(
        `${place}/responses/${status}: a status is a number such as 204, a range such as 4XX or 'default'.`,
      );
    }
    if (!isObject(response)) throw new Error(`${place}/responses/${status} must be an object.`);
    resolve(document, response);
  }
  checkParameters(document, path, [...list(item['parameters']), ...list(operation['parameters'])], place);
  checkSecurity(document, operation['security'] ?? document.security ?? [], place);
}

function checkParameters(document: OpenApiDocument, path: string, parameters: readonly unknown[], place: string): void {
  const declared = new Set<string>();
  for (const reference of parameters) {
    if (!isObject(reference)) throw new Error(`${place}/parameters must be objects.`);
    const parameter: Partial<Parameter> = resolve(document, reference);
    const { name, in: location, schema, content } = parameter;
    if (typeof name !== 'string') throw new Error(`${place}/parameters: each must have a name.`);
    if (!['path', 'query', 'header', 'cookie'].includes(location ?? '')) {
      throw new Error(
        `${place}/parameters/${name}/in must be path, query, header or cookie, not '${String(location)}'.`,
      );
    }
    if (!isObject(schema) && !isObject(content)) throw new Error(`${place}/parameters/${name} must have a schema.`);
    if (location === 'path') declared.add(name);
  }
  const template = new Set([...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? ''));
  for (const name of template) {
    if (!declared.has(name)) throw new Error(`${place}/parameters must declare '${name}', which is in the path.`);
  }
  for (const name of declared) {
    if (!template.has(name))
      throw new Error(`${place}/parameters: '${name}' is declared in the path but not part of it.`);
  }
}

function checkSecurity(document: OpenApiDocument, security: unknown, place: string): void {
  if (!Array.isArray(security)) throw new Error(`${place}/security must be a list of requirements.`);
  const schemes = document.components?.securitySchemes ?? {};
  for (const requirement of security as unknown[]) {
    if (!isObject(requirement)) throw new Error(`${place}/security must be a list of objects.`);
    for (const name of Object.keys(requirement)) {
      if (!Object.hasOwn(schemes, name))
        throw new Error(`${place}/security: /components/securitySchemes has no '${name}'.`);
    }
  }
}

/**
 * Follows every reference and looks at the `type` of everything that stands in the place of a
 * schema.
 */
function checkSchemas(document: OpenApiDocument, place: string, node: unknown = document): void {
  if (Array.isArray(node)) {
    node.forEach((child, index) => {
      checkSchemas(document, `${place}/${index}`, child);
    });
    return;
  }
  if (!isObject(node)) return;
  if (typeof node['$ref'] === 'string') {
    try {
      resolve(document, node);
    } catch (error) {
      throw new Error(`${place}: ${messageOf(error)}`, { cause: error });
    }
  }
  for (const [key, child] of Object.entries(node)) {
    if (key === 'example' || key === 'examples' || key === 'default' || key === 'enum' || key === 'const') continue;
    if (/\/(schema|items|additionalProperties|(schemas|properties)\/[^/]+)$/.test(place) && key === 'type') {
      const types: unknown[] = Array.isArray(child) ? child : [child];
      const wrong = types.find((type) => typeof type !== 'string' || !SCHEMA_TYPES.has(type));
      if (wrong !== undefined) throw new Error(`${place}/type: ${JSON.stringify(wrong)} is no type of JSON Schema.`);
    }
    checkSchemas(document, pointer(place, key), child);
  }
}

function pointer(place: string, key: string): string {
  return `${place}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
