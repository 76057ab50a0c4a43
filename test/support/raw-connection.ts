import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { WireResponse } from './conformance.ts';

/** A connection to which a test writes any bytes, and from which it reads responses. */
export interface RawConnection {
  readonly socket: Socket;
  readonly responses: readonly WireResponse[];
  /** Resolves when there are so many responses, or none can follow. */
  readonly until: (count: number) => Promise<readonly WireResponse[]>;
  /** Resolves when the connection has ended, however it did, with the seconds that it lasted. */
  readonly ended: Promise<number>;
}

/** Connects to a server. @param method of the requests; HEAD is answered without a body. */
export async function openRaw(url: string, method = ''): Promise<RawConnection> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', noDelay: true });
  const start = performance.now();
  const responses: WireResponse[] = [];
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
    for (let taken = takeResponse(text, method); taken !== undefined; taken = takeResponse(text, method)) {
      text = taken.rest;
      if (taken.response.status >= 200) responses.push(taken.response);
    }
    socket.emit('responses');
  });
  const ended = new Promise<number>((done) => {
    socket.on('close', () => {
      done((performance.now() - start) / 1000);
      socket.emit('responses');
    });
  });
  await once(socket, 'connect');
  // Whether the server resets a connection or closes it shows in what it has answered before.
  socket.on('error', () => undefined);
  return {
    socket,
    responses,
    ended,
    until: async (count) => {
      while (!socket.closed && responses.length < count) {
        await new Promise((next) => socket.once('responses', next));
      }
      return responses;
    },
  };
}

/** Splits the first response off, once it is complete. */
function takeResponse(text: string, method: string): { response: WireResponse; rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
  if (status === undefined) throw new Error(`This is no response: ${text.slice(0, 200)}`);
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const start = end + 4;
  // RFC 9110, section 9.3.2: an answer to HEAD has the headers of a body, but none.
  const length = method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0);
  if (text.length < start + length) return undefined;
  const body = Buffer.from(text.slice(start, start + length), 'latin1').toString();
  return { response: { status: Number(status), headers, text: body }, rest: text.slice(start + length) };
}

/** Sends bytes and reads the responses until the connection ends, or there are so many. */
export async function exchange(
  url: string,
  bytes: string | Buffer,
  { method = '', count = Infinity } = {},
): Promise<readonly WireResponse[]> {
  const { socket, until } = await openRaw(url, method);
  socket.write(bytes);
  const responses = await until(count);
  socket.destroy();
  return responses;
}
