import { codeOf, messageOf, OperatorError } from '../errors.ts';

/** Standard output did not take a text. */
export class OutputError extends OperatorError {
  /** True when the reader of a pipe has gone, as `head` does once it has its lines. */
  readonly readerGone: boolean;

  constructor(cause: unknown) {
    super(`Standard output cannot be written: ${messageOf(cause)}.`, { cause });
    this.readerGone = codeOf(cause) === 'EPIPE';
  }
}

/**
 * Writes a text to standard output and waits until the system has taken it.
 * @throws OutputError when it does not.
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error) reject(new OutputError(error));
      else resolve();
    });
  });
}

/** Writes a text as {@link print} does, for output of which a reader may take a part. @returns false when it has gone. */
export async function printWhileRead(text: string): Promise<boolean> {
  try {
    await print(text);
    return true;
  } catch (error) {
    if (error instanceof OutputError && error.readerGone) return false;
    throw error;
  }
}
