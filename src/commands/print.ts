import { codeOf, messageOf, OperatorError } from '../errors.ts';

/**
 * Writes a text to standard output and waits until the system accepts it.
 * @throws OperatorError when that fails.
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error) reject(new OperatorError(`Standard output cannot be written: ${messageOf(error)}.`, { cause: error }));
      else resolve();
    });
  });
}

/** Like {@link print}, for output that is read in part. @returns false if the reader has gone. */
export async function printWhileRead(text: string): Promise<boolean> {
  try {
    await print(text);
    return true;
  } catch (error) {
    // As `head` does.
    if (error instanceof OperatorError && codeOf(error.cause) === 'EPIPE') return false;
    throw error;
  }
}
