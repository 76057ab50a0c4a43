// A request as code. Secrets are variables of the environment, so that no sample holds one.
/* global LosslessJSON */
import { isJson, isObject } from './example.js';
import { withQuery } from './request.js';

/** What makes the integers of a schema bigints. */
const BIGINT_FORMATS = ['int64', 'uint64'];
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'const'];
const NUMBERS = ['integer', 'number'];
/** The client of any contract, with the files that `openapi-exact generate` writes. */
const UNBOUND_CLIENT = `import { createClient } from 'openapi-exact/client';
import type { paths } from './generated/openapi.d.ts';
import { shapes } from './generated/shapes.ts';
`;
const INTEGER = /^-?\d+$/;

/** The languages of samples, each with a function from a request to code. */
export const SAMPLES = [
  ['curl', curl],
  ['TypeScript', typescript],
  ['Python', python],
];

function curl(contract, request) {
  const { method, url, headers, cookies, credentials, body, isStream } = request;
  const lines = [method === 'GET' ? 'curl' : method === 'HEAD' ? 'curl --head' : `curl -X ${method}`];
  if (isStream) lines.push('-N');
  for (const credential of credentials) {
    const { name, prefix, userVariable, variable } = credential;
    if (userVariable !== undefined) lines.push(`-u "$${userVariable}:$${variable}"`);
    else if (credential.in === 'header') lines.push(`-H "${shellText(name)}: ${prefix}$${variable}"`);
    else if (credential.in === 'cookie') lines.push(`-b "${shellText(name)}=$${variable}"`);
    else lines.push(`--url-query "${encodeURIComponent(name)}=$${variable}"`);
  }
  for (const [name, value] of cookies) lines.push(`-b ${shellQuoted(`${name}=${value}`)}`);
  // An empty header has a form of its own.
  for (const [name, value] of headers) lines.push(`-H ${shellQuoted(value === '' ? `${name};` : `${name}: ${value}`)}`);
  for (const { name, text, file, type } of body?.parts ?? []) {
    const typed = type === undefined ? '' : `;type=${type}`;
    if (file !== undefined) lines.push(`-F ${shellQuoted(`${name}=@${curlQuoted(file.name)}${typed}`)}`);
    else if (type === undefined) lines.push(`--form-string ${shellQuoted(`${name}=${text}`)}`);
    else lines.push(`-F ${shellQuoted(`${name}=${curlQuoted(text)}${typed}`)}`);
  }
  if (body?.file !== undefined) lines.push(`--data-binary ${shellQuoted(`@${body.file.name}`)}`);
  if (body?.text !== undefined) lines.push(`--data-raw ${shellQuoted(body.text)}`);
  lines.push(shellWord(url));
  return lines.join(' \\\n  ');
}

function typescript(contract, request) {
  const { credentials, cookies, body, values } = request;
  const isTyped =
    !request.isStream &&
    credentials.every(({ prefix, user }) => prefix === 'Bearer ' && user === undefined) &&
    credentials.length === 1 &&
    cookies.length === 0 &&
    values.every(([{ content }]) => content === undefined) &&
    (body === undefined || (body.text !== undefined && isJson(body.type) && parsed(body.text) !== undefined));
  return isTyped ? typedClient(contract, request) : fetchCode(request);
}

function typedClient(contract, { method, template, baseUrl, values, credentials, body }) {
  const isBound = contract.client !== '';
  const places = {};
  for (const [{ in: place, name, schema }, value] of values) {
    (places[place] ??= []).push(`${key(name)}: ${literal(contract, value, schema)}`);
  }
  const members = [];
  const params = Object.entries(places).map(([place, list]) => `${place}: { ${list.join(', ')} }`);
  if (params.length > 0) members.push(`params: { ${params.join(', ')} }`);
  if (body !== undefined) {
    const content = bodyContent(contract, template, method);
    members.push(`body: ${literal(contract, parsed(body.text), content[body.type]?.schema)}`);
    // The client chooses by itself where there is one of JSON.
    if (Object.keys(content).filter(isJson).length !== 1) members.push(`contentType: ${quoted(body.type)}`);
  }
  const inOneLine = members.join(', ');
  const options =
    inOneLine.length > 60 ? `, {\n  ${members.join(',\n  ')},\n}` : inOneLine === '' ? '' : `, { ${inOneLine} }`;
  return `${
    isBound
      ? `import { createClient } from ${quoted(contract.client)};
`
      : UNBOUND_CLIENT
  }
const client = createClient${isBound ? '({\n' : '<paths>({\n  shapes,\n'}  baseUrl: ${quoted(baseUrl)},
  token: process.env.${credentials[0].variable} ?? '',
});

const { response, data } = await client.${method}(${quoted(template)}${options});
console.log(response.status, data);`;
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

function python(contract, { method, url, headers, cookies, credentials, body, isStream }) {
  const sent = headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const lines = [JSON.stringify(url)];
  const secretPairs = inQuery(credentials).map(
    ({ name, variable }) => `${JSON.stringify(name)}: os.environ['${variable}']`,
  );
  if (secretPairs.length > 0) lines.push(`params={${secretPairs.join(', ')}}`);
  const jar = cookies.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  for (const { in: place, name, prefix, userVariable, variable } of credentials) {
    const secret = `os.environ['${variable}']`;
    if (userVariable !== undefined) lines.push(`auth=(os.environ['${userVariable}'].encode(), ${secret}.encode())`);
    else if (place === 'header') sent.unshift(`${JSON.stringify(name)}: f"${prefix}{${secret}}"`);
    else if (place === 'cookie') jar.push(`${JSON.stringify(name)}: ${secret}`);
  }
  if (sent.length > 0) lines.push(`headers={${sent.join(', ')}}`);
  if (jar.length > 0) lines.push(`cookies={${jar.join(', ')}}`);
  if (body?.text !== undefined)
    lines.push(`data=${JSON.stringify(body.text)}${/^\p{ASCII}*$/u.test(body.text) ? '' : '.encode()'}`);
  if (body?.file !== undefined) lines.push(`data=open(${JSON.stringify(body.file.name)}, "rb")`);
  if (body?.parts !== undefined) {
    const parts = body.parts.map(({ name, text, file, type }) => {
      const members =
        file === undefined
          ? ['None', JSON.stringify(text)]
          : [JSON.stringify(file.name), `open(${JSON.stringify(file.name)}, "rb")`];
      return `(${JSON.stringify(name)}, (${[...members, ...(type === undefined ? [] : [JSON.stringify(type)])].join(', ')}))`;
    });
    lines.push(`files=[${parts.join(', ')}]`);
  }
  lines.push(...(isStream ? ['stream=True', 'timeout=(10, None)'] : ['timeout=10']));
  const call = `requests.${method.toLowerCase()}(`;
  return `${credentials.length === 0 ? '' : 'import os\n'}import requests

response = ${method === 'TRACE' ? 'requests.request("TRACE", ' : call}
${lines.map((line) => `    ${line},\n`).join('')})
${isStream ? 'print(response.status_code)\nfor line in response.iter_lines():\n    print(line.decode(), flush=True)' : 'print(response.status_code, response.text)'}`;
}

/** The credentials that go into the query, encoded there. */
function inQuery(credentials) {
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

/** A value as TypeScript, with the bigints that the client takes. */
function literal(contract, value, schema, indent = '  ') {
  const parts = partsOf(contract, schema);
  const inner = (schemas) => ({ anyOf: schemas.filter((found) => found !== undefined) });
  if (LosslessJSON.isLosslessNumber(value)) {
    const [, integer] = /^(-?\d+)(?:\.0+)?$/.exec(value) ?? [];
    return integer !== undefined && parts.some(isBigint) ? `${integer}n` : `${value}`;
  }
  if (Array.isArray(value)) {
    const itemAt = (index) => inner(parts.map(({ prefixItems, items }) => prefixItems?.[index] ?? items));
    return `[${value.map((item, index) => literal(contract, item, itemAt(index), indent)).join(', ')}]`;
  }
  if (!isObject(value)) return typeof value === 'string' ? quoted(value) : `${value}`;
  const members = Object.entries(value).map(([name, member]) => {
    const property = inner(parts.flatMap((part) => propertyOf(part, name)));
    return `${key(name)}: ${literal(contract, member, property, `${indent}  `)}`;
  });
  const inOneLine = members.join(', ');
  if (inOneLine.length <= 60 && !inOneLine.includes('\n')) return members.length === 0 ? '{}' : `{ ${inOneLine} }`;
  return `{\n${members.map((member) => `${indent}  ${member},\n`).join('')}${indent}}`;
}

/** The schemas of a property by its name. */
function propertyOf({ properties = {}, patternProperties = {}, additionalProperties }, name) {
  const matching = Object.keys(patternProperties).filter((pattern) => new RegExp(pattern, 'u').test(name));
  const found = [properties[name], ...matching.map((pattern) => patternProperties[pattern])];
  return found.every((schema) => schema === undefined) ? [additionalProperties] : found;
}

/** Whether the client takes bigints for the integers of a schema: the rule of document/bigint.ts. */
function isBigint(schema) {
  const { type, format, enum: allowed = [], const: only } = schema;
  const types = [type].flat();
  if (BIGINT_FORMATS.includes(format)) return type === undefined || types.some((name) => NUMBERS.includes(name));
  if (type === undefined) return areBigints(only === undefined ? allowed : [only]);
  if (!types.includes('integer') || types.includes('number') || format === 'int32') return false;
  return [...BOUNDS.map((key) => schema[key]), ...allowed].some(isBeyondDoubles);
}

/** True for constants whose numbers are integers, of which one is beyond 2^53. */
function areBigints(constants) {
  const numbers = constants.filter((constant) => LosslessJSON.isLosslessNumber(constant));
  return numbers.some(isBeyondDoubles) && numbers.every((number) => INTEGER.test(number));
}

/** True for an integer that a number of JavaScript does not hold. */
function isBeyondDoubles(value) {
  return LosslessJSON.isLosslessNumber(value) && INTEGER.test(value) && !Number.isSafeInteger(Number(value));
}

/** A schema and all that it is composed of. */
function partsOf(contract, schema, outer = []) {
  const followed = contract.follow(schema);
  if (!isObject(followed) || outer.includes(schema)) return [];
  const { allOf = [], oneOf = [], anyOf = [] } = followed;
  const within = [...outer, schema];
  return [followed, ...[...allOf, ...oneOf, ...anyOf].flatMap((part) => partsOf(contract, part, within))];
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

/** A word of a shell, in quotes where it needs them. */
function shellWord(text) {
  return /^[\w:/.%,+=@-]+$/.test(text) ? text : shellQuoted(text);
}

/** A text within double quotes of a shell. */
function shellText(text) {
  return text.replaceAll(/[\\"$`]/g, String.raw`\$&`);
}

/** A value of curl's -F. */
function curlQuoted(text) {
  return `"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`;
}

function shellQuoted(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
