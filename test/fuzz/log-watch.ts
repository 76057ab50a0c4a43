/** Looks at the lines of a server's log. */
export interface LogWatch {
  readonly read: (line: string) => void;
  /** From now on none of these texts may be in a line. */
  readonly forbid: (texts: readonly string[]) => void;
  /** What was wrong with the log so far; undefined when nothing was. */
  readonly objection: () => string | undefined;
}

/** pino's number for errors (https://getpino.io/#/docs/api?id=loggerlevels-object). */
const ERROR = 50;

/** Every line must be one JSON object below the level of errors, without a secret. */
export function watchLog(): LogWatch {
  let found: string | undefined;
  let secrets: readonly string[] = [];
  return {
    read: (line) => {
      const level = levelOf(line);
      if (level === undefined) found ??= `The log has a line that is no JSON object: ${line}`;
      else if (level >= ERROR) found ??= `The log has an error: ${line}`;
      else if (secrets.some((secret) => line.includes(secret))) found ??= `The log holds a token: ${line}`;
    },
    forbid: (texts) => {
      secrets = texts;
    },
    objection: () => found,
  };
}

function levelOf(line: string): number | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'level' in value && typeof value.level === 'number'
      ? value.level
      : undefined;
  } catch {
    return undefined;
  }
}
