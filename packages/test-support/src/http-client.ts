import { Agent, request, type AgentOptions, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body, and the same as text. */
  readonly bytes: Buffer;
  readonly text: string;
  /** Whether the server has asked for the body, as `Expect: 100-continue` wants it. */
  readonly continued: boolean;
}

/** Longer than any response may take, in milliseconds. */
const TIMEOUT = 60_000;

/**
 * Sends requests to a server of this machine, each on a connection of its own. With `keepAlive`,
 * connections are reused, and a request fails when the server closes an idle one at that moment: do
 * so only if nothing stops the event loop for longer than the server keeps idle connections.
 */
export class HttpClient {
  readonly #port: number;
  readonly #agent: Agent;

  constructor(port: number, options: AgentOptions = {}) {
    this.#port = port;
    this.#agent = new Agent(options);
  }

  /** Sends a request with exactly these headers. @param path is not normalized. */
  async request(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: OutgoingHttpHeaders; body?: string | Buffer | undefined } = {},
  ): Promise<Answer> {
    const to = { port: this.#port, host: '127.0.0.1', agent: this.#agent };
    const options = { ...to, method, path, headers, timeout: TIMEOUT };
    return new Promise((done, fail) => {
      let continued = false;
      const sent = request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', fail).on('end', () => {
          const bytes = Buffer.concat(chunks);
          const { statusCode = 0, headers } = response;
          done({ status: statusCode, headers, bytes, text: bytes.toString(), continued });
          // The server has not asked for the body.
          if (!sent.writableEnded) sent.destroy();
        });
      });
      sent.on('error', fail).on('timeout', () => sent.destroy(new Error('no response came')));
      if (headers['Expect'] === undefined) {
        sent.end(body);
        return;
      }
      sent.on('continue', () => {
        continued = true;
        sent.end(body);
      });
      sent.flushHeaders();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
