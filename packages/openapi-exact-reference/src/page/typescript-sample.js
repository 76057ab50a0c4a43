// A request as TypeScript: for the client where it can send it, otherwise for fetch.
/* global LosslessJSON */
import { isBigintPlace, itemSchemas, memberSchemas, partsOf } from './places.js';
import { isJson, isObject } from './example.js';
import { withQuery } from './request.js';
import { typedSchema } from './stream-items.js';

/** The methods for which the client has a function each; `request` calls any other. */
const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'QUERY'];
/** Methods that `fetch` does not send. */
const FORBIDDEN = ['CONNECT', 'TRACE', 'TRACK'];

/** The code of a request. */
export function typescript(contract, request) {
  return isForClient(contract, request) ? clientCode(contract, request) : fetchCode(request);
}

/** Whether the client can send a request, and the fields know how. */
function isForClient({ client }, { method, isStream, isOfItems, credentials, cookies, body, values }) {
  // A client that is bound to its contract takes a token.
  const hasToken = ({ prefix, user }) => prefix === 'Bearer ' && user === undefined;
  if (client !== '' && !(credentials.length === 1 && credentials.every(hasToken))) return false;
  return (
    !FORBIDDEN.includes(method) &&
    (!isStream || isOfItems) &&
    cookies.length === 0 &&
    values.every(([{ content }]) => content === undefined) &&
    (body === undefined || clientBody(body) !== undefined)
  );
}

/** A body as a value; undefined for what only `fetch` sends. */
function clientBody({ type, text, items }) {
  return items ?? (text !== undefined && isJson(type) ? parsed(text) : undefined);
}

function clientCode(contract, { method, template, baseUrl, values, credentials, body, isOfItems }) {
  const code = new ClientCode(contract);
  const places = {};
  for (const [{ in: place, name, schema }, value] of values) {
    (places[place] ??= []).push(`${key(name)}: ${code.literal(value, partsOf(contract, schema))}`);
  }
  const members = [];
  const params = Object.entries(places).map(([place, list]) => `${place}: { ${list.join(', ')} }`);
  if (params.length > 0) members.push(`params: { ${params.join(', ')} }`);
  if (body !== undefined) {
    const content = bodyContent(contract, template, method);
    const { schema, stream } = content[body.type] ?? {};
    const described = stream === undefined ? schema : { items: typedSchema(contract, stream) };
    members.push(`body: ${code.literal(clientBody(body), partsOf(contract, described))}`);
    if (body.type !== soleType(Object.keys(content))) members.push(`contentType: ${quoted(body.type)}`);
  }
  const inOneLine = members.join(', ');
  const options =
    inOneLine.length > 60 ? `, {\n  ${members.join(',\n  ')},\n}` : inOneLine === '' ? '' : `, { ${inOneLine} }`;
  const { imports, call } =
    contract.client === '' ? freeClient(baseUrl, credentials) : boundClient(contract.client, baseUrl, credentials);
  return `${[...imports, ...code.imports].join('\n')}

const client = ${call};

const { response, data } = await client.${callOf(method)}${quoted(template)}${options});
${isOfItems ? 'console.log(response.status);\nfor await (const item of data) console.log(item);' : 'console.log(response.status, data);'}`;
}

/** The type that the client chooses by itself: the only one of JSON, or the only one at all. */
function soleType(types) {
  const json = types.filter(isJson);
  const [type, ...others] = json.length > 0 ? json : types;
  return others.length === 0 ? type : undefined;
}

/** The beginning of a call. */
function callOf(method) {
  return METHODS.includes(method) ? `${method}(` : `request(${quoted(method)}, `;
}

/** A client whose package knows the contract; its operations need a token. */
function boundClient(from, baseUrl, [{ variable }]) {
  return {
    imports: [`import { createClient } from ${quoted(from)};`],
    call: `createClient({\n  baseUrl: ${quoted(baseUrl)},\n  token: process.env.${variable} ?? '',\n})`,
  };
}

/** The client of any contract, with the files that `openapi-exact generate` writes. */
function freeClient(baseUrl, credentials) {
  const isSecret = credentials.length > 0;
  const given = credentials.map((credential) => `${key(credential.scheme)}: ${secretCode(credential)}`);
  return {
    imports: [
      "import { createClient } from 'openapi-exact/client';",
      `import type { paths${isSecret ? ', securitySchemes' : ''} } from './generated/openapi.d.ts';`,
      "import { shapes } from './generated/shapes.ts';",
    ],
    call: `createClient<paths${isSecret ? ', securitySchemes' : ''}>({\n  shapes,\n  baseUrl: ${quoted(baseUrl)},\n${
      isSecret ? `  credentials: { ${given.join(', ')} },\n` : ''
    }})`,
  };
}

function secretCode({ userVariable, variable }) {
  const secret = `process.env.${variable} ?? ''`;
  return userVariable === undefined ? secret : `{ username: process.env.${userVariable} ?? '', password: ${secret} }`;
}

/** Values as the client takes them. */
class ClientCode {
  #contract;
  /** The classes of values that were written, by the package that each comes from. */
  #classes = new Map();

  constructor(contract) {
    this.#contract = contract;
  }

  get imports() {
    return [...this.#classes].map(([name, from]) => `import { ${name} } from ${quoted(from)};`);
  }

  /** A value at a place that these schemas describe. */
  literal(value, schemas, indent = '  ') {
    const contract = this.#contract;
    if (Array.isArray(value)) {
      const items = value.map((item, index) => this.literal(item, itemSchemas(contract, schemas, index), indent));
      return `[${items.join(', ')}]`;
    }
    if (!isObject(value)) return this.#scalar(value, schemas);
    const members = Object.entries(value).map(
      ([name, member]) =>
        `${key(name)}: ${this.literal(member, memberSchemas(contract, schemas, name), `${indent}  `)}`,
    );
    const inOneLine = members.join(', ');
    if (inOneLine.length <= 60 && !inOneLine.includes('\n')) return members.length === 0 ? '{}' : `{ ${inOneLine} }`;
    return `{\n${members.map((member) => `${indent}  ${member},\n`).join('')}${indent}}`;
  }

  #scalar(value, schemas) {
    const isNumber = LosslessJSON.isLosslessNumber(value);
    const own = isNumber || typeof value === 'string' ? this.#classOf(schemas) : undefined;
    if (own !== undefined) return `new ${own}(${quoted(String(value))})`;
    if (!isNumber) return typeof value === 'string' ? quoted(value) : `${value}`;
    const [, integer] = /^(-?\d+)(?:\.0+)?$/.exec(value) ?? [];
    return integer !== undefined && isBigintPlace(schemas) ? `${integer}n` : `${value}`;
  }

  /** The class of the client's values at a place, by its format. */
  #classOf(schemas) {
    const { formats } = this.#contract;
    const format = schemas.map((schema) => schema.format).find((name) => Object.hasOwn(formats, name ?? ''));
    if (format === undefined) return undefined;
    const [name, ...from] = formats[format].split(':');
    if (from.length > 0) this.#classes.set(name, from.join(':'));
    return name;
  }
}

function fetchCode({ method, url, headers, cookies, credentials, body, isStream }) {
  const secretPairs = inQuery(credentials).map(
    ({ name, variable }) => `${encodeURIComponent(name)}=\${encodeURIComponent(process.env.${variable} ?? '')}`,
  );
  const jar = cookies.map((pair) => pair.join('='));
  const sent = headers.map(([name, value]) => `${key(name)}: ${quoted(value)}`);
  for (const { in: place, name, prefix, userVariable, variable } of credentials) {
    if (userVariable !== undefined) {
      const users = `\${process.env.${userVariable}}:\${process.env.${variable}}`;
      sent.push(`${key(name)}: \`Basic \${Buffer.from(\`${users}\`).toString('base64')}\``);
    } else if (place === 'header') sent.push(`${key(name)}: \`${prefix}\${process.env.${variable}}\``);
    else if (place === 'cookie') jar.unshift(`${name}=\${process.env.${variable}}`);
  }
  if (jar.length > 0) sent.push(`Cookie: \`${jar.join('; ')}\``);
  const lines = [`method: '${method}'`];
  if (sent.length > 0) lines.push(`headers: {\n${sent.map((line) => `    ${line},\n`).join('')}  }`);
  if (body?.text !== undefined) lines.push(`body: ${quoted(body.text)}`);
  if (body?.file !== undefined) lines.push(`body: await openAsBlob(${quoted(body.file.name)})`);
  if (body?.parts !== undefined) lines.push('body');
  const hasFile = body?.file !== undefined || body?.parts?.some(({ file }) => file !== undefined);
  const form = (body?.parts ?? []).map(({ name, text, file, type }) => {
    if (file !== undefined)
      return `body.append(${quoted(name)}, await openAsBlob(${quoted(file.name)}${type === undefined ? '' : `, { type: ${quoted(type)} }`}), ${quoted(file.name)});\n`;
    if (type === undefined) return `body.append(${quoted(name)}, ${quoted(text)});\n`;
    return `body.append(${quoted(name)}, new Blob([${quoted(text)}], { type: ${quoted(type)} }));\n`;
  });
  const target = secretPairs.length > 0 ? `\`${withQuery(url, secretPairs)}\`` : quoted(url);
  return `${hasFile === true ? "import { openAsBlob } from 'node:fs';\n\n" : ''}${body?.parts === undefined ? '' : `const body = new FormData();\n${form.join('')}`}const response = await fetch(${target}, {
${lines.map((line) => `  ${line},\n`).join('')}});
${isStream ? 'console.log(response.status);\nfor await (const bytes of response.body ?? []) process.stdout.write(bytes);' : 'console.log(response.status, await response.text());'}`;
}

/** The credentials that go into the query, encoded there. */
export function inQuery(credentials) {
  return credentials.filter((credential) => credential.in === 'query');
}

function bodyContent(contract, template, method) {
  const operation = contract.operations.find((known) => known.path === template && known.method === method);
  return operation?.body?.content ?? {};
}

function parsed(text) {
  try {
    return LosslessJSON.parse(text);
  } catch {
    return undefined;
  }
}

function key(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

function quoted(text) {
  return `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;
}
