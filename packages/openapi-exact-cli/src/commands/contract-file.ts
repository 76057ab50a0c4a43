import { ConfigurationError } from 'openapi-exact/contract';
import { pathToFileURL } from 'node:url';

/** The file of a contract that the command line names. @throws ConfigurationError for a URL. */
export function contractFile(name: string): URL {
  if (!/^https?:\/\//i.test(name)) return pathToFileURL(name);
  throw new ConfigurationError(`The contract ${name} is not a file: download it first, as curl -O ${name} does.`);
}
