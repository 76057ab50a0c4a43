import $RefParser, { type FileInfo } from '@apidevtools/json-schema-ref-parser';
import { stringify as stringifyJson } from 'lossless-json';
import { isCollection, isMap, isNode, isPair, isScalar, parse, parseDocument, stringify as stringifyYaml } from 'yaml';
import { isObject } from '../contract/document/openapi-document.ts';
import type { Contract } from '../contract/document/load.ts';
import { OperatorError } from '../errors.ts';

/** A contract as text. Its `servers` are these URLs; undefined leaves them as they are written. */
export interface ContractTexts {
  /** As it was written by hand, when it is one file; comments are lost when it is several. */
  readonly yaml: (urls: readonly string[] | undefined) => string;
  readonly json: (urls: readonly string[] | undefined) => string;
}

/** A number beyond 2^53 would be rounded on the way from YAML to JSON. */
const EXACT = { intAsBigInt: true } as const;

/** The texts of a contract, from its files as they were when the service read them. Integers stay exact. */
export async function readContractTexts({ path, sources: { texts: files } }: Contract): Promise<ContractTexts> {
  const [text = ''] = files.values();
  const document: unknown = await $RefParser.bundle(path, {
    resolve: {
      file: { read: ({ url }: FileInfo) => files.get(url) ?? Promise.reject(new Error(`${url} was not read.`)) },
    },
    parse: { json: false, yaml: { parse: ({ data }: FileInfo) => parse(String(data), EXACT) as object } },
  });
  if (!isObject(document)) throw new OperatorError('The contract is no object.');
  const withServers = (urls: readonly string[] | undefined): object =>
    urls === undefined || !('servers' in document)
      ? document
      : // In the place that they had.
        { ...document, servers: urls.map((url) => ({ url })) };
  return {
    yaml: (urls) =>
      files.size > 1 ? stringifyYaml(withServers(urls)) : urls === undefined ? text : replaceServers(text, urls),
    json: (urls) => `${stringifyJson(withServers(urls), undefined, 2) ?? ''}\n`,
  };
}

/** Puts other `servers` into a text of YAML and leaves everything else as it is. Without servers a contract is reached where it came from. */
function replaceServers(text: string, urls: readonly string[]): string {
  const { contents } = parseDocument(text);
  if (!isMap(contents)) return text;
  const pair = contents.items.find(({ key }) => isScalar(key) && key.value === 'servers');
  if (pair === undefined) return text;
  const [start, end] = [endOf(pair.key), endOf(pair.value)];
  // JSON is YAML in every place, whatever the style around it, and its strings are safe with any URL.
  return `${text.slice(0, start)}: ${JSON.stringify(urls.map((url) => ({ url })))}${text.slice(end)}`;
}

/** Where a node of a text ends. A list or map in block style goes on to the next key, comments included: its last item does not. */
function endOf(node: unknown): number {
  if (isCollection(node) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    return isPair(last) ? endOf(last.value ?? last.key) : endOf(last);
  }
  if (!isNode(node) || node.range == null) throw new Error('The YAML parser has given a node no place.');
  return node.range[1];
}
