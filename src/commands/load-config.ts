import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { readConfig, type Config } from '../config.ts';
import { codeOf, messageOf, OperatorError } from '../errors.ts';

/**
 * Reads `.env` in the working folder, then the settings; the environment takes precedence.
 * @throws OperatorError when `.env` cannot be read or a setting is invalid.
 */
export function loadConfig(): Config {
  if (isReadable('.env')) process.loadEnvFile('.env');
  return readConfig(process.env);
}

/**
 * True if a file exists. Node 20's loadEnvFile reports an unreadable file as missing, and no
 * version finds names in UTF-16 or behind a byte order mark.
 * @throws OperatorError with the true reason when it cannot be read.
 */
function isReadable(file: string): boolean {
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return false;
    throw new OperatorError(
      `The file ${file} cannot be read: ${messageOf(cause)}. Make it a file that this user may read, or remove it.`,
      { cause },
    );
  }
  const text = bytes.toString();
  if (isUtf8(bytes) && !text.startsWith('\uFEFF') && !text.includes('\0')) return true;
  throw new OperatorError(`The file ${file} cannot be read: save it as UTF-8, without a byte order mark.`);
}
