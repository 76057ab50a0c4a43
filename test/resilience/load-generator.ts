/**
 * Puts a server under the load of many clients, from a process of its own. Its argument is a Load
 * as JSON, its output a LoadResult. Every fourth delete repeats the one before it.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { plantOf, type Load, type LoadResult } from './load.ts';

/** Connections that are opened at once: a system keeps some hundred until they are accepted. */
const CONNECTING = 100;
/** The part of the time in which it may become steady. */
const SETTLING = 1 / 3;
/** How long the last answers may take, in milliseconds. */
const PATIENCE = 30_000;

// The only caller, load.ts, passes a Load.
const load = JSON.parse(process.argv[2] ?? '') as Load;
const before = `DELETE /plants/`;
const behind = ` HTTP/1.1\r\nHost: plants\r\nAuthorization: Bearer ${load.token}\r\n\r\n`;
const first = BigInt(load.first);

interface Client {
  readonly socket: Socket;
  /** The numbers of the requests that wait for an answer, and when they were sent. */
  waiting: { readonly number: number; readonly at: number }[];
  text: string;
}

/** The answer to each request: its status, the code of a 503, 0 without one. */
const answers: number[] = [];
let good = 0;
let waitingInAll = 0;
let longest = 0;
let withoutRetryAfter = 0;
/** How many requests of a client may wait now. */
let inFlight = 0;

function send(client: Client, count: number): void {
  let text = '';
  const at = performance.now();
  for (let index = 0; index < count; index++) {
    const number = answers.push(0) - 1;
    client.waiting.push({ number, at });
    text += before + String(first + plantOf(number)) + behind;
  }
  waitingInAll += count;
  client.socket.write(text, 'latin1');
}

/** Reads all complete answers that a client has. */
function receive(client: Client, chunk: string): void {
  const text = client.text + chunk;
  let start = 0;
  let answered = 0;
  for (;;) {
    const end = text.indexOf('\r\n\r\n', start);
    if (end === -1) break;
    const status = Number(text.slice(start + 9, start + 12));
    const head = status === 204 ? '' : text.slice(start, end);
    const length = Number(/\r\nContent-Length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (text.length < end + 4 + length) break;
    const request = client.waiting[answered++];
    if (request === undefined) throw new Error('an answer without a request');
    answers[request.number] = status === 503 ? codeOf(head, text.slice(end + 4, end + 4 + length)) : status;
    longest = Math.max(longest, performance.now() - request.at);
    if (status === 204 || status === 404) good++;
    start = end + 4 + length;
  }
  client.text = text.slice(start);
  client.waiting = client.waiting.slice(answered);
  waitingInAll -= answered;
  if (inFlight > 0) send(client, inFlight - client.waiting.length);
}

function codeOf(head: string, body: string): number {
  if (!/\r\nRetry-After: \d+/i.test(head)) withoutRetryAfter++;
  // The contract's Error object, as the tests of the server show.
  return (JSON.parse(body) as { error: number }).error;
}

async function open(): Promise<Client> {
  const socket = connect(load.port, '127.0.0.1').setEncoding('latin1');
  await once(socket, 'connect');
  const client: Client = { socket, waiting: [], text: '' };
  socket.on('data', (chunk: string) => {
    receive(client, chunk);
  });
  // What it has not answered stays 0.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    waitingInAll -= client.waiting.length;
    client.waiting = [];
  });
  return client;
}

const clients: Client[] = [];
while (clients.length < load.clients) {
  const missing = Math.min(CONNECTING, load.clients - clients.length);
  clients.push(...(await Promise.all(Array.from({ length: missing }, open))));
  await pause(10);
}
inFlight = load.inFlight;
for (const client of clients) send(client, inFlight);
await pause(load.seconds * SETTLING * 1000);
const [start, goodBefore] = [performance.now(), good];
await pause(load.seconds * (1 - SETTLING) * 1000);
const stop = performance.now();
const goodput = ((good - goodBefore) / (stop - start)) * 1000;
inFlight = 0;
while (waitingInAll > 0 && performance.now() < stop + PATIENCE) await pause(1);
for (const { socket } of clients) socket.destroy();
writeFileSync(load.answersFile, Uint16Array.from(answers));
console.log(JSON.stringify({ goodput, longest, withoutRetryAfter } satisfies LoadResult));
