import { codeOf, messageOf, OperatorError } from '../errors.ts';

/** A failed write to standard output. */
class OutputError extends OperatorError {
  /** True if the reader closed the pipe, as `head` does. */
  readonly readerGone: boolean;

  constructor(cause: unknown) {
    super(`Standard output cannot be written: ${messageOf(cause)}.`, { cause });
    this.readerGone = codeOf(cause) === 'EPIPE';
  }
}

/**
 * Writes a text to standard output and waits until the system accepts it.
 * @throws OutputError when that fails.
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error) reject(new OutputError(error));
      else resolve();
    });
  });
}

/**
 * Like {@link print}, for output that may be read in part. @returns false if the reader has gone.
 */
export async function printWhileRead(text: string): Promise<boolean> {
  try {
    await print(text);
    return true;
  } catch (error) {
    if (error instanceof OutputError && error.readerGone) return false;
    throw error;
  }
}
