import { messageOf } from '../../src/errors.ts';
import { HttpClient } from 'test-support/http-client.ts';

/** Plants that one import puts in; the next one begins when half of them are gone. */
const STOCK = 50_000;
/** How often requests are sent, in milliseconds. */
const TICK = 2;
const CONNECTIONS = 32;

type Run = (args: readonly string[], input?: string) => Promise<string>;
interface Request {
  readonly id: bigint | string;
  readonly status: number;
  readonly token: string;
}

/** Plants lie two apart, so that each has neighbours that are missing. */
function idOf(index: number): bigint {
  return 2n ** 53n + BigInt(index) * 2n;
}

/**
 * A steady load, at a rate that does not follow the speed of the answers. Of ten requests seven
 * delete a plant; the others get 404, 401 and 400.
 */
export class Load {
  answered = 0;
  /** What went wrong first; undefined when nothing did. */
  problem: string | undefined;
  readonly #run: Run;
  readonly #port: number;
  // In turn, so that none is idle for so long that the server closes it.
  readonly #kept: HttpClient;
  readonly #underWay = new Set<Promise<void>>();
  #latencies: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  #tokens = { valid: '', revoked: '' };
  #planted = 0;
  #deleted = 0;
  #drawn = 0;
  #importing: Promise<void> | undefined;

  /** @param run runs the command line. @returns what it printed. */
  constructor(port: number, run: Run) {
    this.#port = port;
    this.#run = run;
    this.#kept = new HttpClient(port, { keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'fifo' });
  }

  /** The plants that must be there after the last response. */
  get left(): number {
    return this.#planted - this.#deleted;
  }

  async start(perSecond: number): Promise<void> {
    const tokenOf = async (name: string): Promise<string> => (await this.#run(['tokens', 'create', name])).trim();
    this.#tokens = { valid: await tokenOf('valid'), revoked: await tokenOf('revoked') };
    await this.#run(['tokens', 'revoke', 'revoked']);
    await this.#plant();
    const start = performance.now();
    let due = 0;
    this.#timer = setInterval(() => {
      // At first as many at once as there are connections, so that all are open from then on.
      for (; due < CONNECTIONS + ((performance.now() - start) / 1000) * perSecond; due++) {
        const request = this.#next();
        if (request === undefined) continue;
        const at = start + (Math.max(0, due - CONNECTIONS) / perSecond) * 1000;
        const sending = this.#send(request, at).finally(() => this.#underWay.delete(sending));
        this.#underWay.add(sending);
      }
    }, TICK);
  }

  /** The latencies since the last call, ascending, in milliseconds since each request was due. */
  takeLatencies(): Float64Array {
    const taken = Float64Array.from(this.#latencies).sort();
    this.#latencies = [];
    return taken;
  }

  /** Sends no more, and resolves when the last answer has come and no plants are being put in. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#underWay);
    this.#kept.close();
    await this.#importing;
  }

  async #plant(): Promise<void> {
    const ids = Array.from({ length: STOCK }, (_, index) => idOf(this.#planted + index));
    await this.#run(['plants', 'import', '-'], ids.join('\n'));
    this.#planted += STOCK;
  }

  /** The next request; undefined while an import replaces plants that have run out. */
  #next(): Request | undefined {
    if (this.left < STOCK / 2) this.#importing ??= this.#plant().finally(() => (this.#importing = undefined));
    const { valid, revoked } = this.#tokens;
    const last = idOf(this.#planted - 1);
    const kind = this.#drawn++ % 10;
    if (kind === 0) return { id: idOf(this.#deleted) + 1n, status: 404, token: valid };
    if (kind === 1) return { id: last, status: 401, token: revoked };
    if (kind === 2) return { id: `${last}.0`, status: 400, token: valid };
    return this.left > 0 ? { id: idOf(this.#deleted++), status: 204, token: valid } : undefined;
  }

  async #send({ id, status, token }: Request, at: number): Promise<void> {
    // One in a hundred has a connection of its own.
    const http = this.answered % 100 === 0 ? new HttpClient(this.#port) : this.#kept;
    try {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await http.request('DELETE', `/plants/${id}`, { headers });
      this.#latencies.push(performance.now() - at);
      this.answered++;
      if (answer.status !== status) throw new Error(`it was ${answer.status}`);
    } catch (error) {
      this.problem ??= `DELETE ${id} was to be answered ${status}: ${messageOf(error)}`;
    } finally {
      if (http !== this.#kept) http.close();
    }
  }
}
