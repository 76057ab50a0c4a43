import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Answered } from '../answered.ts';

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

/**
 * Answers that are not in the metrics yet: prom-client takes a microsecond for each that comes alone, and a tenth of it in a row (durable
 * deletes/s 3 % more, `npm run bench -- --only durable`).
 */
class Answers {
  /** How many, by status. */
  readonly statuses = new Map<number, number>();
  /** Their latencies in seconds, of which the first `length` count. */
  readonly latencies = new Float64Array(256);
  length = 0;
}

/**
 * Metrics of one process, those of Node and the process itself included. Labels come from the contract and the table of errors
 * only: their number is bounded whatever clients send.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests that were answered, by operation of the contract and status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the arrival of a request to its answer.',
    labelNames: ['operation'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const failures = new Counter({
    name: 'authentication_failures_total',
    help: 'Requests that were not authenticated or not allowed, by the name of the error.',
    labelNames: ['reason'],
    registers,
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

  /** By operation. */
  const gathered = new Map<string, Answers>();

  function gather(operation: string): Answers {
    const answers = new Answers();
    gathered.set(operation, answers);
    return answers;
  }

  function count(operation: string, answers: Answers): void {
    const duration = durations.labels(operation);
    for (const seconds of answers.latencies.subarray(0, answers.length)) duration.observe(seconds);
    for (const [status, times] of answers.statuses) requests.labels(operation, String(status)).inc(times);
    answers.length = 0;
    answers.statuses.clear();
  }

  return {
    answered: ({ operation = 'none', status, seconds, reason }) => {
      const answers = gathered.get(operation) ?? gather(operation);
      answers.statuses.set(status, (answers.statuses.get(status) ?? 0) + 1);
      answers.latencies[answers.length++] = seconds;
      if (answers.length === answers.latencies.length) count(operation, answers);
      if (reason !== undefined && (status === 401 || status === 403 || reason === 'tooManyFailures'))
        failures.inc({ reason });
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
    text: () => {
      for (const [operation, answers] of gathered) count(operation, answers);
      queue.set(queueLength());
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
