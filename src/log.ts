import { pino, type DestinationStream, type Logger } from 'pino';
import sonicBoom from 'sonic-boom';
import type { Config } from './config.ts';
import { messageOf } from './errors.ts';

/** Characters of lines that wait to be written; those beyond are dropped. */
const MAX_WAITING = 4 * 1024 * 1024;
/** Characters that are handed on at once: what is dropped is never more than that. */
const MAX_CHUNK = 64 * 1024;

/** Standard output, or what stands in for it. */
type Terminal = NodeJS.WriteStream & { readonly fd: number };

/** What a process writes. */
export interface Output {
  /**
   * Lines for people on a terminal, JSON otherwise. Nothing that is logged holds a token: requests are logged by operation, status and the
   * token's name.
   */
  readonly log: Logger;
  /** Writes a text for people behind the lines so far. */
  readonly print: (text: string) => void;
}

/** The output of a process. */
export async function createLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  out: Terminal = process.stdout,
): Promise<Output> {
  const lines = out.isTTY ? await prettyStream(out) : lineStream(out);
  const printer = out.isTTY ? out : lines;
  return {
    log: pino({ level: logLevel }, lines),
    print: (text) => void printer.write(`${text}\n`),
  };
}

/**
 * While one write is on its way the next lines gather, so that a busy server writes many at once. A log that nobody reads, or whose disk is
 * full, stops no delete: lines are dropped, which is said once on standard error.
 */
function lineStream(out: Terminal): DestinationStream {
  const stream = new sonicBoom.SonicBoom({ fd: out.fd, sync: false, maxLength: MAX_WAITING });
  let said = false;
  const say = (reason: string): void => {
    if (!said) console.error(`Lines of the log are lost: ${reason}.`);
    said = true;
  };
  stream.on('error', (error) => {
    say(messageOf(error));
  });
  stream.on('drop', () => {
    say('they are not read as fast as they are written');
  });
  let lines = '';
  const flush = (): void => {
    if (lines !== '') stream.write(lines);
    lines = '';
  };
  // Without its flushSync, with which pino would wait for a reader for ever.
  return {
    write: (line) => {
      // The lines of one turn in one write, and not the first of them alone.
      if (lines === '') setImmediate(flush);
      lines += line;
      if (lines.length > MAX_CHUNK) flush();
    },
  };
}

async function prettyStream(destination: NodeJS.WriteStream): Promise<DestinationStream> {
  // Loaded where it is needed: a start without it has less to read.
  const { default: pretty } = await import('pino-pretty');
  return pretty({ destination, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' });
}
