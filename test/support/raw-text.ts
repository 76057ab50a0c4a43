import { connect } from 'node:net';
import type { Service } from './service.ts';

/** What a service answers to a request as it is written here: its body, or the whole of it. The request must close the connection. */
export function rawText(of: Service, head: string, whole = false): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(of.port, '127.0.0.1', () => socket.write(head));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('error', fail).on('close', () => {
      done(whole ? text : text.slice(text.indexOf('\r\n\r\n') + 4));
    });
  });
}
