// Sends a request and shows its response.
/* global performance, TextDecoder, URL, Blob, requestAnimationFrame */
import { element } from './element.js';
import { isJson, isText } from './example.js';
import { send } from './request.js';

/** So many characters of a text are shown: more would stop the page. */
const SHOWN = 500_000;

/**
 * Sends a request and shows its response, also while more of it arrives.
 * @param status takes the status, `details` the rest.
 */
export async function showResponse({ status: line, details }, request, signal) {
  const start = performance.now();
  const response = await send(request, signal);
  if (response.type === 'opaqueredirect')
    throw new Error('it is a redirect, which a browser does not show; curl -i does');
  const duration = Math.round(performance.now() - start);
  const { status, statusText, headers } = response;
  const state = status < 400 ? 'good' : 'bad';
  const type = headers.get('content-type') ?? '';
  const body = element('div');
  line.append(element('strong', { class: state }, `${status} ${statusText}`.trim()), ` · ${duration} ms`);
  details.append(
    body,
    element('h3', {}, 'Headers'),
    element(
      'pre',
      { class: 'headers' },
      [...headers]
        .map(([name, value]) => `${name}: ${value}\n`)
        .join('')
        .trimEnd(),
    ),
  );
  // Not the end: on a phone the head of the response shall be in view.
  requestAnimationFrame(() => details.parentElement.scrollIntoView({ block: 'nearest' }));
  await showBody(body, response, type);
}

async function showBody(place, response, type) {
  if (!isText(type)) {
    const bytes = await response.blob();
    if (bytes.size > 0) place.append(element('h3', {}, 'Body'), downloadLink([bytes]));
    return;
  }
  const code = element('pre', { class: 'response-body', tabindex: '0' });
  place.append(element('h3', {}, 'Body'), code);
  const chunks = [];
  let text = '';
  const decoder = decoderOf(type);
  for await (const bytes of chunksOf(response.body)) {
    chunks.push(bytes);
    if (text.length > SHOWN) continue;
    const added = decoder.decode(bytes, { stream: true });
    text += added;
    code.append(added);
  }
  text += decoder.decode();
  if (text.length > SHOWN) {
    code.textContent = text.slice(0, SHOWN);
    place.append(element('p', {}, 'Only its beginning is shown. ', downloadLink(chunks)));
  } else if (text === '') place.replaceChildren();
  else code.textContent = isJson(type.split(';')[0]) ? formatted(text) : text;
}

/** A decoder of the charset that a media type names; of UTF-8 if the browser lacks it. */
function decoderOf(type) {
  const [, charset] = /;\s*charset="?([^\s";]+)/i.exec(type) ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/** Not every browser iterates over a stream. */
async function* chunksOf(stream) {
  const reader = stream?.getReader();
  for (let read = await reader?.read(); read?.done === false; read = await reader.read()) yield read.value;
}

/** A JSON text with line breaks, and all else as it came: numbers, names, their order. */
function formatted(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let [out, indent] = ['', ''];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[\]{},:]|[^\s"[\]{},:]+/g)) {
    if (token === '[' || token === '{') {
      indent += '  ';
      out += `${token}\n${indent}`;
    } else if (token === ']' || token === '}') {
      indent = indent.slice(2);
      out += `\n${indent}${token}`;
    } else if (token === ',') out += `,\n${indent}`;
    else if (token === ':') out += ': ';
    else out += token.startsWith('"') ? token : token.replaceAll(/\s/g, '');
    // Indented more, it would be unreadable, and many times as long.
    if (indent.length > 200) return text;
  }
  return out;
}

function downloadLink(chunks) {
  const bytes = new Blob(chunks);
  const href = URL.createObjectURL(bytes);
  return element('a', { href, download: 'response' }, `Download ${bytes.size} bytes`);
}
