import { setTimeout as pause } from 'node:timers/promises';
import { openRaw } from '../support/raw-connection.ts';

/** What a visitor needs to know of a server. */
export interface Host {
  readonly url: string;
  readonly token: string;
}

/** One connection of a client. @returns the statuses of its answers. */
export type Visit = (host: Host) => Promise<readonly number[]>;

/** A request for a plant that is not there, so that it may be sent any number of times. */
function deleteRequest(
  { token }: Host,
  { path = `/plants/${10n ** 15n}`, headers = [] as readonly string[] } = {},
): string {
  return [`DELETE ${path} HTTP/1.1`, 'Host: plants', `Authorization: Bearer ${token}`, ...headers, '', ''].join('\r\n');
}

/** Sends a text and, when it has all its answers, leaves. */
async function send({ url }: Host, text: string, answers: number): Promise<readonly number[]> {
  const { socket, until } = await openRaw(url);
  socket.write(text);
  const statuses = (await until(answers)).map(({ status }) => status);
  socket.destroy();
  return statuses;
}

/** Sends a text and its end. */
async function halfClose({ url }: Host, text: string): Promise<readonly number[]> {
  const { socket, responses, ended } = await openRaw(url);
  socket.end(text);
  await ended;
  return responses.map(({ status }) => status);
}

/** Sends the first bytes of a text, however many, and resets the connection. */
async function reset({ url }: Host, text: string): Promise<readonly number[]> {
  const { socket, ended } = await openRaw(url);
  socket.write(text.slice(0, 1 + Math.floor(Math.random() * text.length)));
  await pause(Math.random() * 5);
  socket.resetAndDestroy();
  await ended;
  return [];
}

/** Connects and leaves. */
async function leave({ url }: Host): Promise<readonly number[]> {
  const { socket, ended } = await openRaw(url);
  socket.destroy();
  await ended;
  return [];
}

/** Between two visits of a client, in milliseconds; of one with 50 requests more, because many of them would be nothing but a load. */
const PAUSE = 100;
const LONG_PAUSE = 400;

/** What clients do to a server, what they must be answered, and how long they pause then. */
export const VISITS: readonly (readonly [what: string, visit: Visit, expected: readonly number[], pause: number])[] = [
  [
    'send 50 deletes in one write',
    (host) => send(host, deleteRequest(host).repeat(50), 50),
    Array<number>(50).fill(404),
    LONG_PAUSE,
  ],
  ['close their side behind two deletes', (host) => halfClose(host, deleteRequest(host).repeat(2)), [404, 404], PAUSE],
  ['close their side within a delete', (host) => halfClose(host, deleteRequest(host).slice(0, -2)), [400], PAUSE],
  [
    'reset their connections at any byte of 50 deletes',
    (host) => reset(host, deleteRequest(host).repeat(50)),
    [],
    LONG_PAUSE,
  ],
  ['connect and leave', leave, [], PAUSE],
  [
    'send 2,500 headers',
    (host) => send(host, deleteRequest(host, { headers: Array<string>(2_500).fill('x: y') }), 1),
    [431],
    PAUSE,
  ],
  [
    'send a header of 9 KiB',
    (host) => send(host, deleteRequest(host, { headers: [`x: ${'y'.repeat(9 * 1024)}`] }), 1),
    [431],
    PAUSE,
  ],
  [
    'send a URL of 8 KiB',
    (host) => send(host, deleteRequest(host, { path: `/plants/${'0'.repeat(8 * 1024)}` }), 1),
    [431],
    PAUSE,
  ],
];
