import { pino, type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';

/**
 * The log of a process: lines for people on a terminal, JSON otherwise. Nothing that is logged holds a token: requests are
 * logged by operation, status and the token's name.
 */
export async function createLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  out: NodeJS.WriteStream = process.stdout,
): Promise<Logger> {
  return out.isTTY ? pino({ level: logLevel }, await prettyStream(out)) : pino({ level: logLevel }, out);
}

async function prettyStream(destination: NodeJS.WriteStream): Promise<DestinationStream> {
  // Loaded where it is needed: it takes 10 ms of every start.
  const { default: pretty } = await import('pino-pretty');
  return pretty({ destination, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' });
}
