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
  const later =
    <Args extends unknown[]>(method: (into: Metrics) => (...args: Args) => void) =>
    (...args: Args): void => {
      const count = (into: Metrics): void => {
        method(into).apply(into, args);
      };
      if (metrics === undefined) void loaded.then(count);
      else count(metrics);
    };
  return {
    answered: later((into) => into.answered),
    queue: later((into) => into.queue),
    workers: later((into) => into.workers),
    committed: later((into) => into.committed),
    read: async () => {
      loading.abort();
      return (await loaded).read();
    },
  };
}
