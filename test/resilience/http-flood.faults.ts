import { beforeAll, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { openRaw } from '../support/raw-connection.ts';
import { everyOther } from '../support/stock.ts';
import { memoryOf } from '../support/memory.ts';
import { BANNER, stockedServer } from './stocked-server.ts';

const CLIENTS = 100;
/** What each of them sends at once, in bytes. */
const FLOOD = 256 * 1024;
/** How long other clients delete beside the flood, in milliseconds. */
const LASTS = 5_000;
/** The memory that all those requests may take, in MB. */
const MEMORY = 128;

const at = stockedServer(10_000, { LOG_LEVEL: 'warn', CONNECTIONS_PER_CLIENT: '0' });
/** The plants of the other client. */
let others: Iterator<bigint>;
beforeAll(() => {
  others = everyOther(at.plants.ids)[Symbol.iterator]();
});

// A plant that the other client does not delete.
const PLANT = '/plants/1';
const CHUNKED = `POST ${PLANT} HTTP/1.1\r\nHost:x\r\nTransfer-Encoding: chunked\r\n\r\n`;
const CHUNK = '1\r\nx\r\n';

/**
 * What each sends at once, the longest delete of another client meanwhile, in milliseconds, and
 * what was answered before.
 */
test.each<[what: string, longest: number, text: string, before: string]>([
  // As short as they can be: some 6,000.
  ['requests', 2_000, repeat(`DELETE ${PLANT} HTTP/1.1\r\nHost:x\r\n\r\n`), ''],
  ['chunks', 6_000, `${CHUNKED}${repeat(CHUNK)}`, ''],
  ['chunks behind an answer', 6_000, repeat(CHUNK), CHUNKED],
  ['requests of a chunk', 6_000, repeat(`${CHUNKED.replace('/', '/#')}${CHUNK}0\r\n\r\n`), ''],
])(
  `others are served while ${CLIENTS} clients without a token send 256 KiB of %s each and read no answer`,
  async (what, most, text, head) => {
    const before = await memoryOf(at.server);
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => openRaw(at.server.url)));
    if (head !== '') {
      for (const { socket, until } of clients) {
        socket.write(head);
        await until(1);
      }
    }
    for (const { socket } of clients) socket.pause().write(text);
    const longest = await at.plants.deleteDuring(pause(LASTS), at.server, others, 1);
    expect(Object.keys(at.plants.ledger.statuses())).toEqual(['204']);
    for (const { socket } of clients) socket.destroy();
    const after = await memoryOf(at.server);
    await at.plants.expectUnharmed(
      `${CLIENTS} clients without a token send 256 KiB of ${what} each`,
      [],
      `longest of the others ${longest.toFixed(0)} ms; memory ${before.now} MB, then ${after.most} MB at most`,
    );
    expect(at.server.errors()).toMatch(BANNER);
    expect(after.most - before.now).toBeLessThan(MEMORY);
    expect(longest).toBeLessThan(most);
  },
);

function repeat(text: string): string {
  return text.repeat(Math.floor(FLOOD / text.length));
}
