import { EventEmitter, once } from 'node:events';
import { pino, type Logger } from 'pino';

/** A line of the log, as JSON gives it. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A log that is kept in memory. */
export interface RecordedLog {
  readonly log: Logger;
  readonly lines: readonly LogLine[];
  /** Everything that was written. */
  readonly text: () => string;
  /** The lines with this message, once there are so many: the log may follow the answer. */
  readonly linesOf: (message: string, count?: number) => Promise<readonly LogLine[]>;
}

/** Records a log of the level that production has by default. */
export function recordLog(): RecordedLog {
  const written: string[] = [];
  const lines: LogLine[] = [];
  const arrivals = new EventEmitter();
  const log = pino(
    { level: 'info' },
    {
      write: (line) => {
        written.push(line);
        // pino writes one JSON object a line.
        lines.push(JSON.parse(line) as LogLine);
        arrivals.emit('line');
      },
    },
  );
  return {
    log,
    lines,
    text: () => written.join(''),
    linesOf: async (message, count = 1) => {
      for (;;) {
        const found = lines.filter(({ msg }) => msg === message);
        if (found.length >= count) return found;
        await once(arrivals, 'line');
      }
    },
  };
}
