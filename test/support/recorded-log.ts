import { setImmediate } from 'node:timers/promises';
import { pino, type Logger } from 'pino';

/** A line of the log, as JSON gives it. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A log that is kept in memory. */
export interface RecordedLog {
  readonly log: Logger;
  readonly lines: readonly LogLine[];
  /** Everything that was written. */
  text(): string;
  /** The first line with this message that comes, or has come. */
  line(message: string): Promise<LogLine>;
}

/** Records a log of the level that production has by default. */
export function recordLog(): RecordedLog {
  const written: string[] = [];
  const lines: LogLine[] = [];
  const log = pino(
    { level: 'info' },
    {
      write: (line) => {
        written.push(line);
        // pino writes one JSON object a line.
        lines.push(JSON.parse(line) as LogLine);
      },
    },
  );
  return {
    log,
    lines,
    text: () => written.join(''),
    line: async (message) => {
      for (;;) {
        const found = lines.find(({ msg }) => msg === message);
        if (found !== undefined) return found;
        // The log follows the answer: the test's own timeout ends the wait.
        await setImmediate();
      }
    },
  };
}
