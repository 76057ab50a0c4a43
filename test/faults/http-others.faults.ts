import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../../scripts/bench/median.ts';
import { workplace, type ServerProcess, type Workplace } from '../support/cli.ts';
import { openRaw } from '../support/raw-connection.ts';
import { everyOther, stock, type Stock } from '../support/stock.ts';
import { deleteWhile, type Latencies } from './delete-while.ts';

/** Clients that do it again and again, at the same time. */
const CLIENTS = 20;
/**
 * A window of measuring, in milliseconds. What the clients do they do in each of them, and a shared machine pauses in some: so many must be
 * good, and more than were not, of this many at most.
 */
const WINDOW = 2_000;
const GOOD = 3;
const MOST = 15;
/** Between two connections of one of them, in milliseconds: the clients share the process that measures, and two cores with the server. */
const PAUSE = 200;
/** What a delete of another client takes at most in a good window, in milliseconds, for 99 of 100. */
const P99 = 100;

let place: Workplace;
let plants: Stock;
let server: ServerProcess;
/** The plants of the other client. */
let others: Iterator<bigint>;
beforeAll(async () => {
  place = await workplace();
  plants = await stock(place, 100_000);
  others = everyOther(plants.ids)[Symbol.iterator]();
  server = await place.serve({ NODE_ENV: 'production' });
});
afterAll(() => place.remove());

/** One connection of a client. @returns the statuses of its answers. */
type Visit = () => Promise<readonly number[]>;

/** A request for a plant that is not there, so that it may be sent any number of times. */
function deleteRequest({ path = `/plants/${10n ** 15n}`, headers = [] as readonly string[] } = {}): string {
  const known = ['Host: plants', `Authorization: Bearer ${plants.token}`];
  return [`DELETE ${path} HTTP/1.1`, ...known, ...headers, '', ''].join('\r\n');
}

/** Sends a text and, when it has all its answers, leaves. */
async function send(text: string, answers: number): Promise<readonly number[]> {
  const { socket, until } = await openRaw(server.url);
  socket.write(text);
  const statuses = (await until(answers)).map(({ status }) => status);
  socket.destroy();
  return statuses;
}

/** Sends a text and its end. */
async function halfClose(text: string): Promise<readonly number[]> {
  const { socket, responses, ended } = await openRaw(server.url);
  socket.end(text);
  await ended;
  return responses.map(({ status }) => status);
}

/** Sends the first bytes of a text, however many, and resets the connection. */
async function reset(text: string): Promise<readonly number[]> {
  const { socket, ended } = await openRaw(server.url);
  socket.write(text.slice(0, 1 + Math.floor(Math.random() * text.length)));
  await pause(Math.random() * 5);
  socket.resetAndDestroy();
  await ended;
  return [];
}

/** Connects and leaves. */
async function leave(): Promise<readonly number[]> {
  const { socket, ended } = await openRaw(server.url);
  socket.destroy();
  await ended;
  return [];
}

const KINDS: readonly (readonly [string, Visit, readonly number[]])[] = [
  ['send 50 deletes in one write', () => send(deleteRequest().repeat(50), 50), Array<number>(50).fill(404)],
  ['close their side behind two deletes', () => halfClose(deleteRequest().repeat(2)), [404, 404]],
  ['close their side within a delete', () => halfClose(deleteRequest().slice(0, -2)), [400]],
  ['reset their connections at any byte of 50 deletes', () => reset(deleteRequest().repeat(50)), []],
  ['connect and leave', leave, []],
  ['send 2,500 headers', () => send(deleteRequest({ headers: Array<string>(2_500).fill('x: y') }), 1), [431]],
  ['send a header of 9 KiB', () => send(deleteRequest({ headers: [`x: ${'y'.repeat(9 * 1024)}`] }), 1), [431]],
  ['send a URL of 8 KiB', () => send(deleteRequest({ path: `/plants/${'0'.repeat(8 * 1024)}` }), 1), [431]],
];

test.each(KINDS)(`others are served while ${CLIENTS} clients %s again and again`, async (name, visit, expected) => {
  const state = { over: false, visits: 0 };
  const client = async (): Promise<void> => {
    while (!state.over) {
      expect(await visit()).toEqual(expected);
      state.visits++;
      await pause(PAUSE);
    }
  };
  const fault = Promise.all(Array.from({ length: CLIENTS }, client));
  const windows: Latencies[] = [];
  const areServed = (): boolean => {
    const good = windows.filter((window) => window.p99 < P99).length;
    return good >= GOOD && 2 * good > windows.length;
  };
  const measure = async (): Promise<void> => {
    while (!areServed() && windows.length < MOST) {
      windows.push(await deleteWhile(pause(WINDOW), plants, server, others));
    }
  };
  await Promise.all([fault, measure().finally(() => (state.over = true))]);
  const p99 = median(windows.map((window) => window.p99));
  const count = windows.reduce((sum, window) => sum + window.count, 0);
  expect(server.errors()).toBe('');
  await plants.expectUnharmed(
    `${CLIENTS} clients ${name}, again and again`,
    `${state.visits} connections; ${count} deletes of others: p99 ${p99.toFixed(0)} ms (median of ${windows.length} windows)`,
  );
  expect(areServed()).toBe(true);
});
