import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

/** What came back: the status, the headers and the text of the body. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Whether the server has asked for the body, as `Expect: 100-continue` wants it. */
  readonly continued: boolean;
}

/** Sends requests to a server of this machine, on connections that stay open. */
export class HttpClient {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends a request with exactly these headers. @param path is not normalized. */
  async request(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: OutgoingHttpHeaders; body?: string } = {},
  ): Promise<Answer> {
    const options = { port: this.#port, host: '127.0.0.1', agent: this.#agent, method, path, headers };
    return new Promise((done, fail) => {
      let continued = false;
      const sent = request(options, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('error', fail).on('end', () => {
          done({ status: response.statusCode ?? 0, headers: response.headers, text, continued });
          // The server has not asked for the body.
          if (!sent.writableEnded) sent.destroy();
        });
      });
      sent.on('error', fail);
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

  /** Closes the connections. */
  close(): void {
    this.#agent.destroy();
  }
}
