import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.ts';

/**
 * What happens to bytes of a client: they pass; they pass, and the connection fails before the
 * answer; the connection fails before they pass; they pass, and no answer ever comes.
 */
export type Fate = 'pass' | 'lose answer' | 'lose' | 'hang';

/** A way to one server of several that somebody may cut, lead elsewhere or tamper with. */
export interface TcpProxy {
  readonly port: number;
  /** The ports that new connections lead to, in turn; closed ones are skipped. */
  targets: readonly number[];
  /** Decides on bytes that a client sends; all pass at first. */
  fate: (text: string) => Fate;
  /** Cuts all connections. */
  cut(): void;
  close(): Promise<void>;
}

/** Opens a proxy on a free port. */
export async function tcpProxy(...targets: number[]): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let turn = 0;

  function keep(socket: Socket): void {
    sockets.add(socket);
    // The other end sees the close.
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  }

  /** Connects to the first target that takes the connection. */
  async function reach(): Promise<Socket | undefined> {
    const first = turn++;
    for (let attempt = 0; attempt < proxy.targets.length; attempt++) {
      const port = proxy.targets[(first + attempt) % proxy.targets.length];
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

  const server = createServer({ noDelay: true, pauseOnConnect: true }, (client) => {
    keep(client);
    void reach().then((upstream) => {
      if (upstream === undefined || client.destroyed) {
        client.resetAndDestroy();
        upstream?.destroy();
        return;
      }
      keep(upstream);
      join(client, upstream, (text) => proxy.fate(text));
    });
  });
  const { port, close } = await listen(server);

  const proxy: TcpProxy = {
    port,
    targets,
    fate: () => 'pass',
    cut: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    close: async () => {
      proxy.cut();
      await close();
    },
  };
  return proxy;
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
