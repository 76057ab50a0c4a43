import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Answered } from '../answered.ts';
import { Latencies, latencyText } from './latencies.ts';

/** What operators measure the service by. */
export interface Metrics {
  readonly answered: (answer: Answered) => void;
  /** Takes what tells how many deletes wait for their commit. */
  readonly queue: (length: () => number) => void;
  /** Measures commits: how many deletes each carries, and its time. */
  readonly commits: <Id, Deleted>(
    deletePlants: (ids: readonly Id[]) => Promise<Deleted>,
  ) => (ids: readonly Id[]) => Promise<Deleted>;
  /** All of it in the text format of Prometheus. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
}

/** What was answered for one operation. */
class Answers {
  /** How often, by status. */
  readonly statuses = new Map<number, number>();
  readonly latencies = new Latencies();
}

/**
 * Metrics of one process, those of Node and the process itself included. Labels come from the contract and the table of errors
 * only: their number is bounded whatever clients send.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  /** By operation. */
  const answers = new Map<string, Answers>();
  new Counter({
    name: 'http_requests_total',
    help: 'Requests that were answered, by operation of the contract and status.',
    labelNames: ['operation', 'status'],
    registers,
    collect() {
      this.reset();
      for (const [operation, { statuses }] of answers) {
        for (const [status, count] of statuses) this.inc({ operation, status: String(status) }, count);
      }
    },
  });
  /** By the name of the error. */
  const failures = new Map<string, number>();
  new Counter({
    name: 'authentication_failures_total',
    help: 'Requests that were not authenticated or not allowed, by the name of the error.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of failures) this.inc({ reason }, count);
    },
  });
  const batchSizes = new Histogram({
    name: 'store_batch_size',
    help: 'Deletes that one commit carried.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000],
    registers,
  });
  const commitTimes = new Histogram({
    name: 'store_commit_duration_seconds',
    help: 'From the begin of a transaction to its durable end.',
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const queue = new Gauge({ name: 'store_queue_length', help: 'Deletes that wait for their commit.', registers });
  let queueLength = (): number => 0;

  function add(operation: string): Answers {
    const added = new Answers();
    answers.set(operation, added);
    return added;
  }

  return {
    answered: ({ operation = 'none', status, seconds, reason }) => {
      const { statuses, latencies } = answers.get(operation) ?? add(operation);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      latencies.observe(seconds);
      if (reason !== undefined && (status === 401 || status === 403 || reason === 'tooManyFailures'))
        failures.set(reason, (failures.get(reason) ?? 0) + 1);
    },
    queue: (length) => {
      queueLength = length;
    },
    commits: (deletePlants) => async (ids) => {
      const start = performance.now();
      try {
        return await deletePlants(ids);
      } finally {
        batchSizes.observe(ids.length);
        commitTimes.observe((performance.now() - start) / 1000);
      }
    },
    text: async () => {
      queue.set(queueLength());
      const latencies = new Map([...answers].map(([operation, { latencies }]) => [operation, latencies]));
      return `${await registry.metrics()}\n${latencyText(latencies)}`;
    },
    contentType: registry.contentType,
  };
}
