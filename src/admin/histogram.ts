/**
 * Counts values by the bucket they fall into. With prom-client's, and its counter, each answer took 0.56 µs in a loop of nothing else; now 0.02, of
 * the 24 of a durable delete. test/admin/histogram.test.ts holds its text, test/commands/admin.test.ts reads it from a server.
 */
export class Histogram {
  readonly #bounds: readonly number[];
  /** By bucket, the last for all that lie above the bounds. */
  readonly #counts: Float64Array;
  #sum = 0;

  /** @param bounds the upper bounds of the buckets, ascending. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  /** Counts a value, in the unit of the bounds. */
  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] ?? Infinity)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  /** The lines of one series. @param label as in `operation="deletePlant"`, or `''` for none. */
  lines(name: string, label: string): string[] {
    let count = 0;
    const buckets = Array.from(this.#counts, (here, bucket) => {
      count += here;
      return `${name}_bucket{le="${this.#bounds[bucket] ?? '+Inf'}"${label && `,${label}`}} ${count}`;
    });
    const labels = label && `{${label}}`;
    return [...buckets, `${name}_sum${labels} ${this.#sum}`, `${name}_count${labels} ${count}`];
  }
}

/** Histograms by operation, in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). */
export function textByOperation(name: string, help: string, histograms: ReadonlyMap<string, Histogram>): string {
  return text(
    name,
    help,
    [...histograms].flatMap(([operation, one]) => one.lines(name, `operation="${escaped(operation)}"`)),
  );
}

/** A histogram without labels, in the same format. */
export function textWithoutLabels(name: string, help: string, histogram: Histogram): string {
  return text(name, help, histogram.lines(name, ''));
}

function text(name: string, help: string, lines: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines, ''].join('\n');
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
