import { pino, type DestinationStream, type LevelWithSilent, type Logger } from 'pino';
import { messageOf } from '../errors.ts';

/** Bytes of lines that wait to be written; those beyond are dropped. */
const MAX_BUFFERED = 4 * 1024 * 1024;

/** Fields of a request that its message shows on a terminal. */
const REQUEST_FIELDS = ['method', 'path', 'status', 'durationMs'] as const;

/** Standard output, or its replacement in tests. */
type Terminal = NodeJS.WriteStream & { readonly fd: number };

/** The output of a process. */
export interface Output {
  /** Readable lines on a terminal, JSON otherwise. No line holds a token, only its name. */
  readonly log: Logger;
  /** Writes a text for people: after the lines so far on a terminal, else on standard error. */
  readonly print: (text: string) => void;
}

/** The output of a process. */
export async function createLog(
  { logLevel }: { readonly logLevel: LevelWithSilent },
  out: Terminal = process.stdout,
): Promise<Output> {
  const lines = out.isTTY ? await prettyStream(out) : lineStream(out);
  return {
    log: pino({ level: logLevel }, lines),
    print: (text) => {
      // Standard output has JSON lines alone where a program reads it.
      if (out.isTTY) out.write(`${text}\n`);
      else console.error(text);
    },
  };
}

/**
 * Writes lines in the background, so that a slow reader or a full disk delays no request. Lines
 * that do not fit the queue are dropped, which standard error reports once.
 */
function lineStream(out: Terminal): DestinationStream {
  // Smaller writes, one per iteration of the event loop, would fall behind a busy server.
  const limits = { maxLength: MAX_BUFFERED, maxWrite: MAX_BUFFERED };
  const stream = pino.destination({ dest: out.fd, sync: false, contentMode: 'buffer', ...limits });
  let isReported = false;
  const report = (reason: string): void => {
    if (!isReported) console.error(`Lines of the log are lost: ${reason}.`);
    isReported = true;
  };
  stream.on('error', (error) => {
    report(messageOf(error));
  });
  stream.on('drop', () => {
    report('they are not read as fast as they are written');
  });
  // At exit pino would write synchronously, and wait forever for a reader that is stuck.
  process.prependListener('exit', () => {
    stream.destroy();
  });
  // Safe: a stream of buffers takes bytes, which its types do not know. For each line, one of texts
  // would measure all that waits.
  const write = stream.write.bind(stream) as unknown as (bytes: Buffer) => boolean;
  // Without flushSync, which pino calls for a fatal line: it would wait for the reader too.
  return { write: (line) => write(Buffer.from(line)) };
}

async function prettyStream(destination: NodeJS.WriteStream): Promise<DestinationStream> {
  // Loaded where it is needed: a start without it has less to read.
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    destination,
    ignore: `pid,hostname,${REQUEST_FIELDS.join(',')}`,
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
    messageFormat: messageOfLine,
  });
}

/** The message of a line on a terminal; for a request its method, path, status and duration. */
function messageOfLine(line: Readonly<Record<string, unknown>>, messageKey: string): string {
  if (line[messageKey] !== 'request') return String(line[messageKey]);
  // JSON has made texts, numbers and null of them.
  const fields = line as Readonly<Partial<Record<(typeof REQUEST_FIELDS)[number], string | number | null>>>;
  return `${REQUEST_FIELDS.map((field) => fields[field] ?? '-').join(' ')} ms`;
}
