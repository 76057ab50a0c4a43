import { pino, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from './config.ts';

/**
 * The log of a process: lines for people on a terminal, JSON otherwise. Nothing that is logged holds a token: requests are
 * logged by operation, status and the token's name.
 */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>, out: NodeJS.WriteStream = process.stdout): Logger {
  return out.isTTY ? pino({ level: logLevel }, prettyStream(out)) : pino({ level: logLevel }, out);
}

function prettyStream(destination: NodeJS.WriteStream): DestinationStream {
  return pretty({ destination, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' });
}
