import { pino, type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';

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
    print: (text) => {
      printer.write(`${text}\n`);
    },
  };
}

/** While one write is on its way the next lines gather, so that a busy server writes many at once. None is lost at the end. */
function lineStream(out: Terminal): DestinationStream {
  const stream = pino.destination({ dest: out.fd, sync: false });
  // A reader that has gone is the business of whoever started the process.
  stream.on('error', (error) => out.emit('error', error));
  return stream;
}

async function prettyStream(destination: NodeJS.WriteStream): Promise<DestinationStream> {
  // Loaded where it is needed: it takes 10 ms of every start.
  const { default: pretty } = await import('pino-pretty');
  return pretty({ destination, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' });
}
