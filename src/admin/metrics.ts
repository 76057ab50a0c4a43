import { setTimeout as pause } from 'node:timers/promises';
import type { Answered } from '../http/answered.ts';

/** Metrics in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). */
export interface Exposition {
  readonly text: string;
  readonly contentType: string;
}

/** What operators measure the service by. */
export interface Metrics {
  readonly answered: (answer: Answered) => void;
  /** Sets how many deletes wait for their commit, which is asked at each reading. */
  readonly queue: (length: () => number) => void;
  /** Counts a commit: how many deletes it carried, and its time. */
  readonly committed: (deletes: number, seconds: number) => void;
  /** All of them, with those of Node and the process, as Prometheus reads it. */
  readonly read: () => Promise<Exposition>;
}

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
