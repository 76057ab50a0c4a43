import { setTimeout as pause } from 'node:timers/promises';
import type { Metrics } from './prometheus.ts';

/** Delay after which prom-client is loaded, in milliseconds. */
const LOAD_AFTER = 1_000;

/**
 * Creates the metrics of one server. Loads prom-client after the start, so that it does not delay
 * the start, and counts earlier events once it is loaded.
 */
export function createMetrics(): Metrics {
  const loading = new AbortController();
  const loaded = pause(LOAD_AFTER, undefined, { ref: false, signal: loading.signal })
    // A scrape aborts the delay.
    .catch(() => undefined)
    .then(() => import('./prometheus.ts'))
    .then(({ PrometheusMetrics }) => new PrometheusMetrics());
  let metrics: Metrics | undefined;
  void loaded.then((created) => (metrics = created));
  const count = (event: (into: Metrics) => void): void => {
    if (metrics === undefined) void loaded.then(event);
    else event(metrics);
  };
  return {
    answered: (answer) => {
      count((into) => {
        into.answered(answer);
      });
    },
    queue: (length) => {
      count((into) => {
        into.queue(length);
      });
    },
    workers: (ask) => {
      count((into) => {
        into.workers(ask);
      });
    },
    committed: (deletes, seconds) => {
      count((into) => {
        into.committed(deletes, seconds);
      });
    },
    read: async () => {
      loading.abort();
      return (await loaded).read();
    },
  };
}
