import { Agent, request } from 'node:http';

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
/** Requests that are given up on: none is ever this late, in milliseconds. */
const TIMEOUT = 20_000;
const CONNECTIONS = 32;

/**
 * Sends requests from now on, on connections that are kept, and one in a hundred on one of its own.
 * @param next returns the next request, or undefined while none is ready.
 */
export function startLoad(port: number, perSecond: number, next: () => PlannedRequest | undefined): Load {
  // In turn, so that none is idle for so long that the server closes it.
  const kept = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'fifo' });
  const start = performance.now();
  const underWay = new Set<Promise<void>>();
  let latencies: number[] = [];
  let due = 0;
  let answered = 0;
  let problem: string | undefined;

  function send({ method, path, headers, status }: PlannedRequest, at: number): Promise<void> {
    return new Promise((done) => {
      const fail = (what: string): void => {
        problem ??= `${method} ${path} was to be answered ${status}: ${what}`;
        done();
      };
      const agent = answered % 100 === 0 ? false : kept;
      request({ agent, host: '127.0.0.1', port, method, path, headers, timeout: TIMEOUT }, (response) => {
        response.resume().once('end', () => {
          latencies.push(performance.now() - at);
          answered++;
          if (response.statusCode === status) done();
          else fail(`it was ${response.statusCode}`);
        });
        response.once('error', (error) => {
          fail(error.message);
        });
      })
        .once('timeout', () => {
          fail(`no answer in ${TIMEOUT} ms`);
        })
        .once('error', (error) => {
          fail(error.message);
        })
        .end();
    });
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
      kept.destroy();
    },
  };
}
