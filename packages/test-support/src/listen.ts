import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A server of this process that listens on 127.0.0.1. */
export interface Listening {
  readonly port: number;
  readonly url: string;
  /** Closes the server and all of its connections. */
  readonly close: () => Promise<void>;
}

/** Makes a server listen on 127.0.0.1. @param port a free one by default. */
export async function listen(server: HttpServer | Server, port = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      if (!server.listening) return;
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** Finds a port of 127.0.0.1 on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = await listen(createServer());
  await server.close();
  return server.port;
}
