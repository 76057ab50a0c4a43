/**
 * Floods a server with well-formed tokens that it does not know, from a process of its own, until
 * standard input ends. Arguments: the port and the number of connections. Standard output: a line
 * when all are open, and the number of answers in the end.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { createToken } from '../../src/auth/tokens/token.ts';

/** Connections that are opened at once: a system keeps some hundred until they are accepted. */
const CONNECTING = 100;

const [port = 0, count = 0] = process.argv.slice(2).map(Number);
let answers = 0;

/** Sends requests in sequence. Unknown tokens are not cached: each is looked up. */
async function open(): Promise<() => void> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  await once(socket, 'connect');
  const request = `DELETE /plants/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${createToken()}\r\n\r\n`;
  socket.on('data', (chunk: string) => {
    // An answer ends with its body, a JSON object.
    if (!chunk.endsWith('}')) return;
    answers++;
    socket.write(request);
  });
  return () => socket.write(request);
}

const starts: (() => void)[] = [];
while (starts.length < count) starts.push(...(await Promise.all(Array.from({ length: CONNECTING }, open))));
for (const start of starts) start();
console.log('flooding');
await once(process.stdin.resume(), 'end');
process.stdout.write(`${answers}\n`, () => process.exit());
