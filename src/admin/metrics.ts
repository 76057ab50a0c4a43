import { setTimeout as pause } from 'node:timers/promises';
import type { Answered } from '../http/answered.ts';

/**
 * Metrics in Prometheus' text format
 * (https://prometheus.io/docs/instrumenting/exposition_formats/).
 */
export interface Exposition {
  readonly text: string;
  readonly contentType: string;
}

/** The metrics of one server. */
export interface Metrics {
  readonly answered: (answer: Answered) => void;
  /**
   * Sets the function that returns how many deletes wait for their commit. Each scrape calls it.
   */
  readonly queue: (length: () => number) => void;
  /** Counts a commit with its number of deletes and its duration. */
  readonly committed: (deletes: number, seconds: number) => void;
  /** All metrics, including those of Node and the process, in Prometheus' format. */
  readonly read: () => Promise<Exposition>;
}

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
