import { stringify as stringifyJson } from 'lossless-json';
import { isCollection, isMap, isNode, isPair, isScalar, parseDocument, stringify as stringifyYaml } from 'yaml';
import { bundle } from '../contract/document/bundle.ts';
import { isObject } from '../contract/document/openapi-document.ts';
import type { Contract } from '../contract/document/load.ts';
import { Sources } from '../contract/document/sources.ts';
import { OperatorError } from '../errors.ts';

/** A contract as text. `urls` replace its `servers`; undefined keeps them. */
export interface ContractTexts {
  /** The original text of a contract in one file; a bundle of several files loses comments. */
  readonly yaml: (urls: readonly string[] | undefined) => string;
  readonly json: (urls: readonly string[] | undefined) => string;
}

/** The texts of a contract, from its files as they were at the start. Integers stay exact. */
export async function readContractTexts({ sources: { root, texts: files } }: Contract): Promise<ContractTexts> {
  const [text = ''] = files.values();
  // Bundled again: the service has changed its own copy to OpenAPI 3.1.
  const { document } = await bundle(new Sources(root), (name) => Promise.resolve(files.get(name) ?? ''));
  if (!isObject(document)) throw new OperatorError('The contract is not an object.');
  const withServers = (urls: readonly string[] | undefined): object =>
    urls === undefined || !('servers' in document)
      ? document
      : // In the place that they had.
        { ...document, servers: urls.map((url) => ({ url })) };
  // Parsing takes long, and each request may name another host.
  const place = placeOfServers(text);
  return {
    yaml: (urls) => {
      if (files.size > 1) return stringifyYaml(withServers(urls));
      if (urls === undefined || place === undefined) return text;
      // JSON is valid YAML in every place, and quotes every URL safely.
      return `${text.slice(0, place.start)}: ${JSON.stringify(urls.map((url) => ({ url })))}${text.slice(place.end)}`;
    },
    json: (urls) => `${stringifyJson(withServers(urls), undefined, 2) ?? ''}\n`,
  };
}

/**
 * The place of the value of `servers` in a YAML text, from behind its key. Without servers, the
 * contract's origin is its server.
 */
function placeOfServers(text: string): { readonly start: number; readonly end: number } | undefined {
  const { contents } = parseDocument(text);
  const pair = isMap(contents) ? contents.items.find(({ key }) => isScalar(key) && key.value === 'servers') : undefined;
  return pair && { start: endOf(pair.key), end: endOf(pair.value) };
}

/** The end of a node. A block collection ends with its last item, before trailing comments. */
function endOf(node: unknown): number {
  if (isCollection(node) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    return isPair(last) ? endOf(last.value ?? last.key) : endOf(last);
  }
  if (!isNode(node) || node.range == null) throw new Error('The YAML parser has set no range for a node.');
  return node.range[1];
}
