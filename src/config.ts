import { isAbsolute, resolve } from 'node:path';
import { OperatorError } from './errors.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The settings of a process, read once at its start. */
export interface Config {
  /** The address to listen on. */
  readonly host: string;
  /** The port to listen on; 0 lets the system choose. */
  readonly port: number;
  /** The absolute path of the SQLite file. */
  readonly databaseFile: string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** True with NODE_ENV=production: nothing is created that was not asked for, and logs are JSON. */
  readonly production: boolean;
}

/**
 * Reads the environment variables HOST, PORT, DATABASE_URL, LOG_LEVEL and NODE_ENV.
 * @throws OperatorError naming every bad variable and what would be right.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const { HOST = '127.0.0.1', PORT = '3000', DATABASE_URL = 'sqlite:data/plants.db', LOG_LEVEL = 'info' } = environment;

  if (!/^[\w.:%-]+$/.test(HOST)) problems.push(`HOST must be an address or a name such as 127.0.0.1, not '${HOST}'`);
  const port = Number(PORT);
  if (!/^\d{1,5}$/.test(PORT) || port > 65_535) problems.push(`PORT must be a number from 0 to 65535, not '${PORT}'`);
  // In sqlite://data/plants.db, 'data' would be a host; with three slashes there is none, and the path is absolute.
  const path = /^sqlite:(?:\/\/(?=\/))?(?!\/\/)([^:?#]+)$/.exec(DATABASE_URL)?.[1];
  if (path === undefined) {
    // The value may hold a password: it is not repeated.
    problems.push("DATABASE_URL must be 'sqlite:' and the path of a file, such as sqlite:data/plants.db");
  }
  const logLevel = LOG_LEVELS.find((level) => level === LOG_LEVEL);
  if (logLevel === undefined) problems.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not '${LOG_LEVEL}'`);

  if (!['', 'production', 'development', 'test'].includes(environment['NODE_ENV'] ?? '')) {
    problems.push(`NODE_ENV must be production, development or test, not '${environment['NODE_ENV']}'`);
  }

  if (problems.length > 0 || path === undefined || logLevel === undefined) {
    throw new OperatorError(`Bad settings: ${problems.join('; ')}.`);
  }
  return {
    host: HOST,
    port,
    databaseFile: isAbsolute(path) ? path : resolve(path),
    logLevel,
    production: environment['NODE_ENV'] === 'production',
  };
}
