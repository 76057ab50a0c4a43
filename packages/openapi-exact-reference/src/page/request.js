// Writes a request as OpenAPI describes it: parameters in their styles, URL, headers and body.
/* global LosslessJSON, Blob, FormData, btoa, TextEncoder, fetch */
import { isObject } from './example.js';

/** The type of a response that may be endless, even if the contract does not describe its items. */
const EVENTS = 'text/event-stream';
/** The characters that `allowReserved` keeps, of those that encodeURIComponent replaces. */
const RESERVED = /%(3A|2F|3F|40|21|24|26|27|28|29|2A|2B|2C|3B|3D)/g;

/**
 * A request without its secrets, which only {@link send} puts in.
 * @param values the values of parameters, as pairs of a parameter and its value.
 */
export function requestOf(operation, { baseUrl, values, credentials, accept, body }) {
  let path = operation.path;
  const [query, headers, cookies] = [[], [], []];
  if (accept !== undefined) headers.push(['Accept', accept]);
  for (const [parameter, value] of values) {
    const { name, in: place } = parameter;
    if (place === 'path') path = path.replaceAll(`{${name}}`, () => pathText(parameter, value));
    if (place === 'query') query.push(...queryPairs(parameter, value));
    if (place === 'querystring') query.push([wholeQuery(parameter, value)]);
    if (place === 'header') headers.push([name, simpleText(parameter, value, String)]);
    if (place === 'cookie') cookies.push(...queryPairs(parameter, value));
  }
  const contents = operation.responses.flatMap(([status, { content }]) =>
    status < '3' ? Object.entries(content ?? {}) : [],
  );
  const streams = contents.filter(([type, { stream }]) => type === EVENTS || stream !== undefined);
  // The browser itself writes the type of a multipart body, with its boundary.
  if (body?.text !== undefined || body?.file !== undefined) headers.push(['Content-Type', body.type]);
  return {
    isStream: streams.some(([type]) => type === (accept ?? type)),
    isOfItems: contents.length > 0 && contents.every(([, { stream }]) => stream !== undefined),
    ...{ method: operation.method, template: operation.path, baseUrl, values, credentials, headers, cookies, body },
    url: withQuery(
      `${baseUrl}${path}`,
      query.map((pair) => pair.join('=')),
    ),
  };
}

/** Sends a request with its secrets to the service. */
export function send({ method, url, headers, credentials, body }, signal) {
  const inQuery = credentials.filter((credential) => credential.in === 'query');
  const target = withQuery(
    url,
    inQuery.map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
  );
  const inHeaders = credentials.filter((credential) => credential.in === 'header');
  return fetch(target, {
    // A redirect would send another request, perhaps to another host.
    ...{ method, signal, cache: 'no-store', redirect: 'manual' },
    headers: [...headers, ...inHeaders.map((credential) => [credential.name, headerValue(credential)])],
    body: body?.parts === undefined ? (body?.file ?? body?.text) : formData(body.parts),
  });
}

function headerValue({ prefix, value, user }) {
  if (user === undefined) return `${prefix}${value}`;
  return `${prefix}${btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${value}`)))}`;
}

function formData(parts) {
  const data = new FormData();
  for (const { name, text, file, type } of parts) {
    if (file !== undefined) data.append(name, new Blob([file], { type }), file.name);
    else if (type === undefined) data.append(name, text);
    else data.append(name, new Blob([text], { type }), name);
  }
  return data;
}

/** A URL with more pairs in its query. */
export function withQuery(url, pairs) {
  if (pairs.length === 0) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

/** The members of a form body, encoded, by the `encoding` of each property. */
export function formText(values, encoding = {}) {
  const pairs = values.flatMap(([name, value]) => {
    const { style, explode, allowReserved } = encoding[name] ?? {};
    // Without a style, an object is JSON (OpenAPI 3.1, "Encoding Object").
    if (isObject(value) && style === undefined) return queryPairs({ name }, LosslessJSON.stringify(value));
    return queryPairs({ name, style, explode, allowReserved }, value);
  });
  return pairs.map(([name, value]) => `${name}=${value}`).join('&');
}

/** A query that is one value (OpenAPI 3.2): a form, or the text of another media type. */
function wholeQuery({ content }, value) {
  const [[type, { encoding }]] = Object.entries(content);
  const isForm = /urlencoded/i.test(type);
  if (isObject(value))
    return isForm ? formText(Object.entries(value), encoding) : encodeURIComponent(LosslessJSON.stringify(value));
  return isForm ? String(value) : encodeURIComponent(partText(value));
}

/** The parts of a multipart body, by the `encoding` of each property. */
export function formParts(values, encoding = {}) {
  return values.flatMap(([name, value]) =>
    [value].flat().map((item) => {
      const type = encoding[name]?.contentType?.split(',').find((declared) => !declared.includes('*'));
      if (item instanceof Blob) return { name, file: item, type: item.type || type };
      if (isObject(item)) return { name, text: LosslessJSON.stringify(item), type: type ?? 'application/json' };
      return { name, text: String(item), type };
    }),
  );
}

/** The pairs of a query parameter, encoded: style `form`, or another. */
function queryPairs({ name, style = 'form', explode = style === 'form' || style === 'cookie', allowReserved }, value) {
  const encode = style === 'cookie' ? String : allowReserved === true ? encodeReserved : encodeURIComponent;
  const key = encodeURIComponent(name);
  if (style === 'deepObject') return deepPairs(key, value, encode);
  const separator = { spaceDelimited: '%20', pipeDelimited: '%7C' }[style] ?? ',';
  if (Array.isArray(value)) {
    const items = value.map((item) => encode(partText(item)));
    return explode ? items.map((item) => [key, item]) : [[key, items.join(separator)]];
  }
  if (!isObject(value)) return [[key, encode(String(value))]];
  const members = membersOf(value).map(([member, text]) => [encodeURIComponent(member), encode(text)]);
  return explode ? members : [[key, members.flat().join(separator)]];
}

function deepPairs(key, value, encode) {
  if (!isObject(value) && !Array.isArray(value)) return [[key, encode(String(value))]];
  return Object.entries(value).flatMap(([member, item]) =>
    deepPairs(`${key}%5B${encodeURIComponent(member)}%5D`, item, encode),
  );
}

function pathText({ name, style = 'simple', explode = false }, value) {
  if (style === 'matrix') {
    const pairs = queryPairs({ name, explode }, value);
    return pairs.map((pair) => `;${pair.join('=')}`).join('');
  }
  const isDotted = style === 'label' && explode && typeof value === 'object';
  // A dot would separate two items.
  const encode = (text) => (isDotted ? encodeURIComponent(text).replaceAll('.', '%2E') : encodeURIComponent(text));
  const text = simpleText({ explode }, value, encode, isDotted ? '.' : ',');
  return style === 'label' ? `.${text}` : text;
}

function simpleText({ explode = false }, value, encode, separator = ',') {
  if (Array.isArray(value)) return value.map((item) => encode(partText(item))).join(separator);
  if (!isObject(value)) return encode(String(value));
  return membersOf(value)
    .map((pair) => pair.map((text) => encode(text)).join(explode ? '=' : ','))
    .join(separator);
}

/** The members of an object as texts; a list is one member for each of its items. */
function membersOf(value) {
  return Object.entries(value).flatMap(([name, member]) => [member].flat().map((item) => [name, partText(item)]));
}

/** A part of a value as text: styles nest no further, so that an object or list in one is JSON. */
function partText(part) {
  return isObject(part) || Array.isArray(part) ? LosslessJSON.stringify(part) : String(part);
}

function encodeReserved(text) {
  return encodeURIComponent(text).replaceAll(RESERVED, (encoded) => decodeURIComponent(encoded));
}
