import { createRequire } from 'node:module';
import type * as PromClient from 'prom-client';
import type { Answered } from '../http/answered.ts';
import { PrometheusMetrics, type Metrics } from './prometheus.ts';

/** Delay after which prom-client is loaded, and loaded again after a failure, in milliseconds. */
const LOAD_AFTER = 1_000;

/** Number of responses that are counted together. */
const COUNTED_TOGETHER = 256;

/** Maximum number of responses, and of other events, that are kept until prom-client is loaded. */
const MAX_KEPT = 1_000_000;

/**
 * Metrics of one server that count responses in batches, with warm processor caches, and at each
 * reading. Loads prom-client after the start, so that it does not delay the start.
 */
export class DeferredMetrics implements Metrics {
  readonly #onFailure: (error: unknown) => void;
  /** Undefined until prom-client is loaded. */
  #metrics: PrometheusMetrics | undefined;
  #answers: Answered[] = [];
  #waiting: ((metrics: Metrics) => void)[] = [];

  /** @param onFailure is called each time that prom-client cannot be loaded. */
  constructor(onFailure: (error: unknown) => void = () => undefined) {
    this.#onFailure = onFailure;
    this.#loadLater();
  }

  readonly answered = (...answers: readonly Answered[]): void => {
    if (this.#answers.length < MAX_KEPT) this.#answers.push(...answers);
    if (this.#answers.length >= COUNTED_TOGETHER && this.#metrics !== undefined) this.#count(this.#metrics);
  };

  readonly committed: Metrics['committed'] = (writes, seconds) => {
    this.#whenLoaded((metrics) => {
      metrics.committed(writes, seconds);
    });
  };

  readonly queue: Metrics['queue'] = (length) => {
    this.#whenLoaded((metrics) => {
      metrics.queue(length);
    });
  };

  readonly workers: Metrics['workers'] = (ask) => {
    this.#whenLoaded((metrics) => {
      metrics.workers(ask);
    });
  };

  /** Rejects when prom-client cannot be loaded. */
  readonly renderMetrics: Metrics['renderMetrics'] = async () => {
    const metrics = this.#loaded();
    this.#count(metrics);
    return metrics.renderMetrics();
  };

  /** Loads prom-client now, unless it is loaded. */
  #loaded(): PrometheusMetrics {
    if (this.#metrics !== undefined) return this.#metrics;
    const metrics = (this.#metrics = new PrometheusMetrics(requireClient()));
    for (const use of this.#waiting.splice(0)) use(metrics);
    return metrics;
  }

  /** Loads prom-client after a pause, and again until it is loaded. */
  #loadLater(): void {
    setTimeout(() => {
      try {
        this.#loaded();
      } catch (error) {
        this.#onFailure(error);
        this.#loadLater();
      }
    }, LOAD_AFTER).unref();
  }

  #whenLoaded(use: (metrics: Metrics) => void): void {
    if (this.#metrics !== undefined) use(this.#metrics);
    else if (this.#waiting.length < MAX_KEPT) this.#waiting.push(use);
  }

  #count(metrics: PrometheusMetrics): void {
    const answers = this.#answers;
    this.#answers = [];
    // A call has a limited number of arguments.
    for (let at = 0; at < answers.length; at += COUNTED_TOGETHER) {
      metrics.answered(...answers.slice(at, at + COUNTED_TOGETHER));
    }
  }
}

/**
 * Loads prom-client by `require`: Node.js 20 keeps the failure of an `import`, even if another try
 * would succeed.
 * @throws the error of the system, such as EMFILE.
 */
function requireClient(): typeof PromClient {
  // Safe: the package describes its own types.
  return createRequire(import.meta.url)('prom-client') as typeof PromClient;
}
