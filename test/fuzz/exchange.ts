import { connect } from 'node:net';
import type { Case } from './cases.ts';

/** How a connection has ended. */
export interface Exchange {
  /** Everything that came back. */
  readonly received: Buffer;
  /**
   * 'closed': the server closed the connection after its last response; 'cut': the client or a
   * reset may have cut a response; 'stuck': the connection stayed open; 'refused': it was not
   * accepted.
   */
  readonly outcome: 'closed' | 'cut' | 'stuck' | 'refused';
}

/** Much longer than the server's own limits, in milliseconds. */
const PATIENCE = 60_000;

/** Writes a case on a connection of its own and reads until that ends. */
export function exchange(port: number, { pieces, pause, ending }: Case): Promise<Exchange> {
  return new Promise((done) => {
    const chunks: Buffer[] = [];
    let isConnected = false;
    let isCut = false;
    let isStuck = false;
    let isOver = false;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const deadline = setTimeout(() => {
      isStuck = true;
      socket.destroy();
    }, PATIENCE);

    function write(index: number): void {
      if (isOver) return;
      const piece = pieces[index];
      if (piece === undefined) {
        end();
        return;
      }
      socket.write(piece);
      if (pause === 0) setImmediate(write, index + 1);
      else setTimeout(write, pause, index + 1);
    }

    function end(): void {
      if (ending === 'sentinel' || ending === 'wait') return;
      isCut = true;
      if (ending === 'half-close') socket.end();
      else if (ending === 'destroy') socket.destroy();
      else socket.resetAndDestroy();
    }

    socket.on('connect', () => {
      isConnected = true;
      write(0);
    });
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => {
      isOver = true;
      socket.end();
    });
    socket.on('error', () => {
      isCut = true;
    });
    socket.on('close', () => {
      isOver = true;
      clearTimeout(deadline);
      const outcome = !isConnected ? 'refused' : isStuck ? 'stuck' : isCut ? 'cut' : 'closed';
      done({ received: Buffer.concat(chunks), outcome });
    });
  });
}
