import { EventEmitter, once } from 'node:events';
import { pino } from 'pino';

export type LogLine = Readonly<Record<string, unknown>>;

/** A log of the level that production has by default, kept in memory. */
export class RecordedLog {
  readonly lines: LogLine[] = [];
  readonly #arrivals = new EventEmitter();
  #text = '';
  readonly log = pino(
    { level: 'info' },
    {
      write: (line) => {
        this.#text += line;
        // pino writes one JSON object a line.
        this.lines.push(JSON.parse(line) as LogLine);
        this.#arrivals.emit('line');
      },
    },
  );

  text(): string {
    return this.#text;
  }

  /** The lines with this message, once there are so many: the log may follow the answer. */
  async linesOf(message: string, count = 1): Promise<readonly LogLine[]> {
    for (;;) {
      const found = this.lines.filter(({ msg }) => msg === message);
      if (found.length >= count) return found;
      await once(this.#arrivals, 'line');
    }
  }
}
