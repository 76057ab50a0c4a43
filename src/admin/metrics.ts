import { setTimeout as pause } from 'node:timers/promises';
import type { Metrics } from './prometheus.ts';

/** How long after the start prom-client is loaded, in milliseconds. */
const LOAD_AFTER = 1_000;

/**
 * Creates the metrics of one server, and loads prom-client when the start is over: loading it takes
 * a tenth of a start. Events before that are counted once it is loaded.
 */
export function createMetrics(): Metrics {
  const loading = new AbortController();
  const loaded = pause(LOAD_AFTER, undefined, { ref: false, signal: loading.signal })
    // A reading aborts the delay.
    .catch(() => undefined)
    .then(() => import('./prometheus.ts'))
    .then(({ createPrometheusMetrics }) => createPrometheusMetrics());
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
