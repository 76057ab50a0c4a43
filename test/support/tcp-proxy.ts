import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen, type Listening } from 'test-support/listen.ts';

/**
 * What happens to bytes of a client: they pass; they pass, and the connection fails before the
 * answer; the connection fails before they pass; they pass, and no answer ever comes.
 */
export type Fate = 'pass' | 'lose answer' | 'lose' | 'hang';

/** A way to one server of several that a test may cut, lead elsewhere or tamper with. */
export class TcpProxy {
  /** The ports that new connections lead to, in turn; closed ones are skipped. */
  targets: readonly number[];
  readonly #sockets = new Set<Socket>();
  #listening: Listening | undefined;
  #turn = 0;

  constructor(targets: readonly number[]) {
    this.targets = targets;
  }

  get port(): number {
    return this.#listening?.port ?? 0;
  }

  /** Decides on bytes that a client sends; all pass at first. */
  fate = (_text: string): Fate => 'pass';

  async listen(): Promise<this> {
    const server = createServer({ noDelay: true, pauseOnConnect: true }, (client) => void this.#serve(client));
    this.#listening = await listen(server);
    return this;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    this.cut();
    await this.#listening?.close();
  }

  async #serve(client: Socket): Promise<void> {
    this.#keep(client);
    const upstream = await this.#reach();
    if (upstream === undefined || client.destroyed) {
      client.resetAndDestroy();
      upstream?.destroy();
      return;
    }
    this.#keep(upstream);
    join(client, upstream, (text) => this.fate(text));
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    // The other end sees the close.
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
  }

  /** Connects to the first target that takes the connection. */
  async #reach(): Promise<Socket | undefined> {
    const first = this.#turn++;
    for (let attempt = 0; attempt < this.targets.length; attempt++) {
      const port = this.targets[(first + attempt) % this.targets.length];
      const socket = connect({ port: port ?? 0, host: '127.0.0.1', noDelay: true });
      try {
        await once(socket, 'connect');
        return socket;
      } catch {
        // The next one, then.
      }
    }
    return undefined;
  }
}

export function tcpProxy(...targets: number[]): Promise<TcpProxy> {
  return new TcpProxy(targets).listen();
}

function join(client: Socket, upstream: Socket, fate: (text: string) => Fate): void {
  let last: Fate = 'pass';
  const end = (): void => {
    client.destroy();
    upstream.destroy();
  };
  client.on('data', (chunk) => {
    if (last === 'pass') last = fate(chunk.toString('latin1'));
    if (last === 'lose') end();
    else upstream.write(chunk);
  });
  upstream.on('data', (chunk) => {
    if (last === 'pass') client.write(chunk);
    else if (last === 'lose answer') end();
  });
  client.on('close', () => upstream.destroy());
  // What was written before still arrives.
  client.on('end', () => upstream.end());
  upstream.on('end', () => client.end());
  upstream.on('close', () => {
    if (last !== 'hang') client.destroySoon();
  });
  client.resume();
}
