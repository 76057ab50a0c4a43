/**
 * The operations of the orders contract without a library. It checks nothing: neither the token nor
 * a value.
 */
import { parse } from 'node:querystring';
import { PLANTS } from './plants.mjs';

/** Answers one request. */
export function answer(request, response) {
  const { method, url } = request;
  if (method === 'DELETE') return end(response);
  if (url.startsWith('/plants')) return sendJson(response, { items: PLANTS });
  const queryStart = url.indexOf('?');
  const query = queryStart < 0 ? {} : parse(url.slice(queryStart + 1));
  if (url.startsWith('/search')) return query.q === undefined ? end(response, 400) : end(response);
  readText(request, (text) => {
    if (url.startsWith('/orders')) return sendJson(response, JSON.parse(text));
    const message = parse(text);
    return message.text === undefined ? end(response, 400) : end(response);
  });
}

function readText(request, then) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => then(Buffer.concat(chunks).toString()));
}

function sendJson(response, value) {
  const text = JSON.stringify(value);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text);
}

function end(response, status = 204) {
  response.writeHead(status).end();
}
