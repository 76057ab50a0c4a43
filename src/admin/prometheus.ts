import { setTimeout as pause } from 'node:timers/promises';
import type * as PromClient from 'prom-client';
import type { Answered } from '../http/answered.ts';
import { VERSION } from '../version.ts';

/** The metrics of the service. */
export interface Metrics {
  /** Counts responses, and their times. */
  readonly answered: (...answers: readonly Answered[]) => void;
  /** Sets how many deletes wait for their commit, which is asked at each reading. */
  readonly queue: (length: () => number) => void;
  /** Sets which machines of the store can be reached, which is asked at each reading. */
  readonly workers: (ask: () => Promise<ReadonlyMap<string, boolean>>) => void;
  /** Counts a commit: how many writes it carried, and its time. */
  readonly committed: (writes: number, seconds: number) => void;
  /**
   * All of them, with those of Node and the process, in the text format of Prometheus
   * (https://prometheus.io/docs/instrumenting/exposition_formats/).
   */
  readonly renderMetrics: () => Promise<{ readonly text: string; readonly contentType: string }>;
}

/** Pauses until the event-loop lag has a sample, NaN before it, and their sum, in milliseconds. */
const SAMPLING = 20;
const MAX_SAMPLING = 1_000;

/** Gauges of prom-client with a suffix that `promtool check metrics` allows for counters only. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/**
 * The metrics of one server. Labels come only from the contract and the table of errors, so clients
 * cannot increase their number.
 */
export class PrometheusMetrics implements Metrics {
  readonly #client: typeof PromClient;
  readonly #registry: PromClient.Registry;
  readonly #requests: PromClient.Counter<'operation' | 'status'>;
  readonly #failures: PromClient.Counter<'reason'>;
  readonly #batchSizes: PromClient.Histogram;
  readonly #commitSeconds: PromClient.Histogram;
  readonly #requestSeconds: PromClient.Histogram<'operation'>;

  constructor(client: typeof PromClient) {
    const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = client;
    this.#client = client;
    this.#registry = new Registry();
    const registers = [this.#registry];
    this.#requests = new Counter({
      name: 'http_requests_total',
      help: 'Responses by operation of the contract and status; docs: the API reference, none: no operation.',
      labelNames: ['operation', 'status'],
      registers,
    });
    this.#failures = new Counter({
      name: 'authentication_failures_total',
      help: 'Requests that were not authenticated or not allowed, by the name of the error.',
      labelNames: ['reason'],
      registers,
    });
    this.#batchSizes = new Histogram({
      name: 'store_batch_size',
      help: 'Writes per commit: deletes, other operations, and the last use of tokens.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000],
      registers,
    });
    this.#commitSeconds = new Histogram({
      name: 'store_commit_duration_seconds',
      help: 'Duration of a write transaction, until it is durable or has failed.',
      buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
      registers,
    });
    this.#requestSeconds = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Duration of a request, from its arrival to its response.',
      labelNames: ['operation'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    collectDefaultMetrics({ register: this.#registry });
    // Each is a sum of a remaining gauge: nodejs_active_handles, _requests or _resources.
    for (const name of MISNAMED) this.#registry.removeSingleMetric(name);
    new Gauge({
      name: 'plant_store_build_info',
      help: 'Always 1; the labels name the versions of the service and of Node.js.',
      labelNames: ['version', 'node'],
      registers,
    }).set({ version: VERSION, node: process.versions.node }, 1);
  }

  answered(...answers: readonly Answered[]): void {
    // Equal responses are counted together: prom-client joins the labels anew at each call.
    const counts = new Map<string, Map<number, number>>();
    for (const { operation = 'none', status, seconds, reason } of answers) {
      const byStatus = counts.get(operation) ?? new Map<number, number>();
      counts.set(operation, byStatus.set(status, (byStatus.get(status) ?? 0) + 1));
      this.#requestSeconds.observe({ operation }, seconds);
      if (reason !== undefined && (status === 401 || status === 403 || reason === 'tooManyFailures'))
        this.#failures.inc({ reason });
    }
    for (const [operation, byStatus] of counts)
      for (const [status, count] of byStatus) this.#requests.inc({ operation, status }, count);
  }

  committed(writes: number, seconds: number): void {
    this.#batchSizes.observe(writes);
    this.#commitSeconds.observe(seconds);
  }

  queue(length: () => number): void {
    new this.#client.Gauge({
      name: 'store_queue_length',
      help: 'Deletes that wait for their commit.',
      registers: [this.#registry],
      collect() {
        this.set(length());
      },
    });
  }

  workers(ask: () => Promise<ReadonlyMap<string, boolean>>): void {
    new this.#client.Gauge({
      name: 'store_worker_up',
      help: '1 for each worker of a distributed table that the coordinator reaches, 0 for the others.',
      labelNames: ['worker'],
      registers: [this.#registry],
      async collect() {
        this.reset();
        // Without the coordinator nothing is known.
        const workers = await ask().catch(() => []);
        for (const [worker, isUp] of workers) this.set({ worker }, Number(isUp));
      },
    });
  }

  async renderMetrics(): ReturnType<Metrics['renderMetrics']> {
    const deadline = performance.now() + MAX_SAMPLING;
    let text = await this.#registry.metrics();
    while (/ NaN$/im.test(text) && performance.now() < deadline) {
      await pause(SAMPLING);
      text = await this.#registry.metrics();
    }
    return { text, contentType: this.#registry.contentType };
  }
}
