// A request as TypeScript: for the client where it can send it, otherwise for fetch.
/* global LosslessJSON */
import { isJson, isObject } from './example.js';
import { withQuery } from './request.js';

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

function clientCode(contract, request) {
  const { method, template, baseUrl, values, credentials, body, isOfItems } = request;
  const { places } = contract;
  const code = new ClientCode(contract);
  const groups = {};
  for (const [parameter, value] of values) {
    const { in: location, name } = parameter;
    const written = code.literal(value, places.parameterPlace(request, parameter));
    (groups[location] ??= []).push(`${key(name)}: ${written}`);
  }
  const members = [];
  const params = Object.entries(groups).map(([location, list]) => `${location}: { ${list.join(', ')} }`);
  if (params.length > 0) members.push(`params: { ${params.join(', ')} }`);
  if (body !== undefined) {
    const content = bodyContent(contract, template, method);
    members.push(`body: ${code.literal(clientBody(body), places.bodyPlace(request, body.type))}`);
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
  #places;
  /** The classes of the client's values by format. */
  #formats;
  /** The classes of values that were written, by the package that each comes from. */
  #classes = new Map();

  constructor({ places, formats }) {
    this.#places = places;
    this.#formats = formats;
  }

  get imports() {
    return [...this.#classes].map(([name, from]) => `import { ${name} } from ${quoted(from)};`);
  }

  /** A value at its place. */
  literal(value, place, indent = '  ') {
    if (Array.isArray(value)) {
      const items = value.map((item, index) => this.literal(item, this.#places.itemPlace(place, index), indent));
      return `[${items.join(', ')}]`;
    }
    if (!isObject(value)) return this.#scalar(value, place);
    const members = Object.entries(value).map(
      ([name, member]) =>
        `${key(name)}: ${this.literal(member, this.#places.propertyPlace(place, name), `${indent}  `)}`,
    );
    const inOneLine = members.join(', ');
    if (inOneLine.length <= 60 && !inOneLine.includes('\n')) return members.length === 0 ? '{}' : `{ ${inOneLine} }`;
    return `{\n${members.map((member) => `${indent}  ${member},\n`).join('')}${indent}}`;
  }

  #scalar(value, { isBigint, numbers, texts } = {}) {
    const isNumber = LosslessJSON.isLosslessNumber(value);
    if (!isNumber && typeof value !== 'string') return `${value}`;
    const own = this.#classOf(isNumber ? numbers : texts);
    if (own !== undefined) return `new ${own}(${quoted(String(value))})`;
    if (!isNumber) return quoted(value);
    const [, integer] = /^(-?\d+)(?:\.0+)?$/.exec(value) ?? [];
    return integer !== undefined && isBigint === true ? `${integer}n` : `${value}`;
  }

  /** The class of the client's values of a format. */
  #classOf(format) {
    if (!Object.hasOwn(this.#formats, format ?? '')) return undefined;
    const [name, ...from] = this.#formats[format].split(':');
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
