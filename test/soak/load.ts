import { messageOf } from '../../src/errors.ts';
import { HttpClient } from '../support/http-client.ts';

/** A steady load of requests, at a rate that does not follow the speed of the answers. */
export interface Load {
  /**
   * The latencies since the last call, ascending, in milliseconds from when each request was due.
   */
  takeLatencies(): Float64Array;
  /** The requests that were answered so far. */
  readonly answered: () => number;
  /** What went wrong first; undefined when nothing did. */
  readonly problem: () => string | undefined;
  /** Sends no more, and resolves when the last answer has come. */
  stop(): Promise<void>;
}

/** A request and how it must be answered. */
export interface PlannedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
}

/** How often requests are sent, in milliseconds. */
const TICK = 2;
const CONNECTIONS = 32;

/**
 * Sends requests from now on, on connections that are kept, and one in a hundred on one of its own.
 * @param next returns the next request, or undefined while none is ready.
 */
export function startLoad(port: number, perSecond: number, next: () => PlannedRequest | undefined): Load {
  // In turn, so that none is idle for so long that the server closes it.
  const kept = new HttpClient(port, { maxSockets: CONNECTIONS, scheduling: 'fifo' });
  const start = performance.now();
  const underWay = new Set<Promise<void>>();
  let latencies: number[] = [];
  let due = 0;
  let answered = 0;
  let problem: string | undefined;

  async function send({ method, path, headers, status }: PlannedRequest, at: number): Promise<void> {
    const http = answered % 100 === 0 ? new HttpClient(port) : kept;
    try {
      const answer = await http.request(method, path, { headers });
      latencies.push(performance.now() - at);
      answered++;
      if (answer.status !== status) throw new Error(`it was ${answer.status}`);
    } catch (error) {
      problem ??= `${method} ${path} was to be answered ${status}: ${messageOf(error)}`;
    } finally {
      if (http !== kept) http.close();
    }
  }

  const timer = setInterval(() => {
    // At first as many at once as there are connections, so that all are open from then on.
    for (; due < CONNECTIONS + ((performance.now() - start) / 1000) * perSecond; due++) {
      const planned = next();
      if (planned === undefined) continue;
      const sending = send(planned, start + (Math.max(0, due - CONNECTIONS) / perSecond) * 1000).finally(() =>
        underWay.delete(sending),
      );
      underWay.add(sending);
    }
  }, TICK);

  return {
    takeLatencies: () => {
      const taken = Float64Array.from(latencies).sort();
      latencies = [];
      return taken;
    },
    answered: () => answered,
    problem: () => problem,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
      kept.close();
    },
  };
}
