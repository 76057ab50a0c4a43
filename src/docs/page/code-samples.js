// Code samples for a request, for the requestSnippets of Swagger UI.
/* global LosslessJSON, URL */

/**
 * A Swagger UI plugin that writes a request in TypeScript and in Python. The samples read the token
 * from the environment variable TOKEN.
 * @param spec the contract, as one document.
 */
export const codeSamples = (spec) => () => ({
  fn: {
    requestSnippetGenerator_typescript: (request) => typescript(spec, request.toJS()),
    requestSnippetGenerator_python: (request) => python(request.toJS()),
  },
});

function typescript(spec, { url, method, headers = {}, body }) {
  const { baseUrl, template, values } = route(spec, url);
  const item = follow(spec, spec.paths[template]);
  const operation = item[method.toLowerCase()];
  const query = new URL(url).searchParams;
  const texts = {
    path: (name) => values[name],
    query: (name) => query.get(name),
    header: (name) => headers[name],
  };
  const params = {};
  for (const reference of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const { in: place, name, schema } = follow(spec, reference);
    const text = texts[place]?.(name) ?? undefined;
    if (text !== undefined)
      (params[place] ??= []).push(`${key(name)}: ${literal(spec, valueOf(spec, text, schema), schema)}`);
  }
  const places = Object.entries(params).map(([place, members]) => `${place}: { ${members.join(', ')} }`);
  const members = places.length === 0 ? [] : [`params: { ${places.join(', ')} }`];
  const media = follow(spec, operation.requestBody)?.content?.['application/json'];
  if (typeof body === 'string' && media !== undefined) {
    members.push(`body: ${literal(spec, parsed(body), media.schema)}`);
  }
  const options = members.length === 0 ? '' : `, { ${members.join(', ')} }`;
  return `import { createClient } from 'plant-store-client';

const client = createClient({ baseUrl: ${quoted(baseUrl)}, token: process.env.TOKEN ?? '' });

const { response, data } = await client.${method.toUpperCase()}(${quoted(template)}${options});
console.log(response.status, data);`;
}

function python({ url, method, headers = {}, body }) {
  const { Authorization: authorization, accept: _, ...others } = headers;
  const sent = Object.entries(others).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  if (authorization !== undefined) sent.unshift(`"Authorization": f"Bearer {os.environ['TOKEN']}"`);
  const lines = [
    JSON.stringify(url),
    ...(sent.length === 0 ? [] : [`headers={${sent.join(', ')}}`]),
    ...(typeof body === 'string' ? [`data=${JSON.stringify(body)}`] : []),
    'timeout=10',
  ];
  return `import os
import requests

response = requests.${method.toLowerCase()}(
${lines.map((line) => `    ${line},\n`).join('')})
print(response.status_code, response.text)`;
}

/** The server and the path template of a URL, and the texts of its path parameters. */
function route({ servers, paths }, url) {
  for (const { url: baseUrl } of servers) {
    for (const template of Object.keys(paths)) {
      const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
      const parts = template.split(/\{[^}]+\}/).map((text) => text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`));
      const found = new RegExp(`^${parts.join('([^/]+)')}(?:\\?|$)`).exec(url.slice(baseUrl.length));
      if (!url.startsWith(baseUrl) || found === null) continue;
      const values = names.map((name, index) => [name, decodeURIComponent(found[index + 1])]);
      return { baseUrl, template, values: Object.fromEntries(values) };
    }
  }
  throw new Error(`The contract has no path for ${url}.`);
}

/** What a reference within the contract refers to. */
function follow(spec, node) {
  if (typeof node?.$ref !== 'string') return node;
  const names = decodeURIComponent(node.$ref.slice(2)).split('/');
  const target = names.reduce((at, name) => at?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], spec);
  return follow(spec, target);
}

function valueOf(spec, text, schema) {
  const types = [follow(spec, schema)?.type].flat();
  return types.includes('integer') || types.includes('number') ? new LosslessJSON.LosslessNumber(text) : text;
}

function parsed(body) {
  try {
    return LosslessJSON.parse(body);
  } catch {
    return body;
  }
}

/** A JSON value as TypeScript. An int64 is a bigint, as the client takes it. */
function literal(spec, value, schema) {
  const { format, items, properties } = follow(spec, schema) ?? {};
  if (LosslessJSON.isLosslessNumber(value)) return `${value}${format === 'int64' ? 'n' : ''}`;
  if (Array.isArray(value)) return `[${value.map((item) => literal(spec, item, items)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? quoted(value) : `${value}`;
  const members = Object.entries(value).map(
    ([name, member]) => `${key(name)}: ${literal(spec, member, properties?.[name])}`,
  );
  return `{ ${members.join(', ')} }`;
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
