// Sends a request and shows its response.
/* global LosslessJSON, performance, TextDecoder, URL, Blob, requestAnimationFrame */
import { element } from './element.js';
import { isJson } from './example.js';
import { send } from './request.js';

/** Media types that are text. */
const TEXT = /^text\/|json|xml|yaml|javascript|urlencoded|csv/i;

/**
 * Sends a request and shows its response, also while more of it arrives.
 * @param status takes the status, `details` the rest.
 */
export async function showResponse({ status: line, details }, request, signal) {
  const start = performance.now();
  const response = await send(request, signal);
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
  if (!TEXT.test(type)) {
    const bytes = await response.blob();
    if (bytes.size > 0) place.append(element('h3', {}, 'Body'), downloadLink(bytes, `${bytes.size} bytes`));
    return;
  }
  const code = element('pre', { class: 'response-body' });
  place.append(element('h3', {}, 'Body'), code);
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of chunksOf(response.body)) {
    text += decoder.decode(bytes, { stream: true });
    code.textContent = text;
  }
  code.textContent = isJson(type.split(';')[0]) ? formatted(text) : text;
  if (text === '') place.replaceChildren();
}

/** Not every browser iterates over a stream. */
async function* chunksOf(stream) {
  const reader = stream?.getReader();
  for (let read = await reader?.read(); read?.done === false; read = await reader.read()) yield read.value;
}

/** A JSON text with line breaks, and every number as it came. */
function formatted(text) {
  try {
    return LosslessJSON.stringify(LosslessJSON.parse(text), undefined, 2);
  } catch {
    // Not JSON, or with a name twice: as it came.
    return text;
  }
}

function downloadLink(bytes, text) {
  return element('a', { href: URL.createObjectURL(new Blob([bytes])), download: 'response' }, `Download ${text}`);
}
