import { setTimeout } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Counts } from './counts.ts';
import { textByOperation, textWithoutLabels } from './histogram.ts';

/** Metrics in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). */
export interface Exposition {
  readonly text: string;
  readonly contentType: string;
}

/** Gives what reads all that was counted, with the metrics of Node and of the process. */
export async function exposition(counts: Counts): Promise<() => Promise<Exposition>> {
  const { answers, failures, batchSizes, commitSeconds } = counts;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
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
  new Gauge({
    name: 'store_queue_length',
    help: 'Deletes that wait for their commit.',
    registers,
    collect() {
      this.set(counts.queueLength());
    },
  });

  // The event loop's lag is measured each 10 ms; before, it has no value.
  await setTimeout(50);
  return async () => {
    const latencies = new Map([...answers].map(([operation, { seconds }]) => [operation, seconds]));
    const texts = [
      await registry.metrics(),
      textWithoutLabels('store_batch_size', 'Deletes that one commit carried.', batchSizes),
      textWithoutLabels(
        'store_commit_duration_seconds',
        'From the begin of a transaction to its durable end.',
        commitSeconds,
      ),
      textByOperation('http_request_duration_seconds', 'From the arrival of a request to its answer.', latencies),
    ];
    return { text: texts.join('\n'), contentType: registry.contentType };
  };
}
