import { stringify } from 'lossless-json';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { described } from '../errors/described.ts';
import { ConfigurationError, messageOf } from '../errors/errors.ts';
import { isObject } from '../schema/openapi-document.ts';

/**
 * Where a contract is: a file by its path or URL, a text, or the document itself as an object.
 * @example
 * await loadContract('openapi.yaml'); // in the working folder
 * await loadContract(new URL('openapi.yaml', import.meta.url));
 * await loadContract({ text, url: new URL('openapi.yaml', import.meta.url) });
 * await loadContract(document);
 */
export type ContractSource =
  | string
  | URL
  | ContractText
  | { readonly openapi: string }
  | Readonly<Record<string, unknown>>;

/** The text of a contract, in YAML or JSON. */
export interface ContractText {
  readonly text: string;
  /** The URL that references are relative to; by default that of a file in the working folder. */
  readonly url?: string | URL | undefined;
}

/** A contract's own file. */
export interface RootFile {
  /** Its path, for messages and references. */
  readonly path: string;
  /** Undefined to read it from the path. */
  readonly text: string | undefined;
  /** Whether authors know its lines, as they do not for a document that was made in code. */
  readonly hasLines: boolean;
}

/** The file of a contract without a place of its own. */
const NAMELESS = 'contract';

/** @throws ConfigurationError unless it is a {@link ContractSource}. */
export function rootFile(source: unknown): RootFile {
  if (typeof source === 'string' || isUrl(source)) return { path: pathOf(source), text: undefined, hasLines: true };
  if (!isObject(source)) throw new ConfigurationError(usage(described(source)));
  const { text, url } = source;
  if (typeof text === 'string' && source['openapi'] === undefined) {
    return { path: url === undefined ? resolve(NAMELESS) : pathOf(url), text, hasLines: true };
  }
  return { path: resolve(NAMELESS), text: textOf(source), hasLines: false };
}

/** The path of a file that is named by a path or a URL. */
function pathOf(file: unknown): string {
  if (typeof file === 'string' && !/^[a-z][a-z0-9+.-]+:/i.test(file)) return resolve(file);
  if (typeof file !== 'string' && !isUrl(file)) throw new ConfigurationError(usage(described(file)));
  const { href, protocol } = new URL(typeof file === 'string' ? file : file.href);
  if (protocol === 'file:') return fileURLToPath(href);
  throw new ConfigurationError(
    `${described(href)} is not a file: read it first, and give loadContract what was read, as { text }.`,
  );
}

/** Node's URLs may come from another realm, where `instanceof URL` is false. */
function isUrl(value: unknown): value is URL {
  return isObject(value) && typeof value['href'] === 'string' && typeof value['protocol'] === 'string';
}

/** The text of a document, with every digit of its integers. */
function textOf(document: object): string {
  try {
    return stringify(document, undefined, 2) ?? '';
  } catch (cause) {
    const way = 'Give loadContract the document with its references, as { $ref }, not one that contains itself.';
    throw new ConfigurationError(`The contract cannot be written as JSON: ${messageOf(cause)}. ${way}`, { cause });
  }
}

function usage(given: string): string {
  return `loadContract takes the path or URL of a file, { text } or a document, not ${given}.`;
}
