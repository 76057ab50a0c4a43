import { setTimeout as pause } from 'node:timers/promises';
import type { Answered } from '../http/answered.ts';
import type { Metrics } from './prometheus.ts';

/** Delay after which prom-client is loaded, in milliseconds. */
const LOAD_AFTER = 1_000;

/** Number of responses that are counted together. */
const COUNTED_TOGETHER = 256;

/**
 * Metrics of one server that count responses in batches, with warm processor caches, and at each
 * reading. Loads prom-client after the start, so that it does not delay the start.
 */
export class DeferredMetrics implements Metrics {
  readonly #loading = new AbortController();
  readonly #loaded: Promise<Metrics>;
  /** Undefined until prom-client is loaded. */
  #metrics: Metrics | undefined;
  #answers: Answered[] = [];

  constructor() {
    this.#loaded = this.#load();
  }

  readonly answered = (...answers: readonly Answered[]): void => {
    this.#answers.push(...answers);
    if (this.#answers.length >= COUNTED_TOGETHER) this.#count();
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

  readonly renderMetrics: Metrics['renderMetrics'] = async () => {
    this.#loading.abort();
    const metrics = await this.#loaded;
    this.#count();
    return metrics.renderMetrics();
  };

  async #load(): Promise<Metrics> {
    // A scrape aborts the delay.
    await pause(LOAD_AFTER, undefined, { ref: false, signal: this.#loading.signal }).catch(() => undefined);
    const { PrometheusMetrics } = await import('./prometheus.ts');
    this.#metrics = new PrometheusMetrics();
    return this.#metrics;
  }

  #whenLoaded(use: (metrics: Metrics) => void): void {
    if (this.#metrics === undefined) void this.#loaded.then(use);
    else use(this.#metrics);
  }

  #count(): void {
    if (this.#metrics === undefined) return;
    this.#metrics.answered(...this.#answers);
    this.#answers = [];
  }
}
