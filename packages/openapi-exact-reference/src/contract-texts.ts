import { stringify as stringifyJson } from 'lossless-json';
import { randomUUID } from 'node:crypto';
import { isCollection, isMap, isNode, isPair, isScalar, parseDocument, stringify as stringifyYaml } from 'yaml';
import type { Contract } from 'openapi-exact';

/** A contract as text. `urls` replace its `servers`; undefined keeps them. */
export interface ContractTexts {
  /** The original text of a contract in one file; a bundle of several files loses comments. */
  readonly yaml: (urls: readonly string[] | undefined) => string;
  readonly json: (urls: readonly string[] | undefined) => string;
}

/** Stands for the value of `servers` in a text. */
const PLACE = randomUUID();

/**
 * The texts of a contract, from its files as they were at the start. Integers stay exact. They are
 * written once: each client may name another host, and a large contract takes long.
 */
export async function readContractTexts({ sources: { texts: files }, original }: Contract): Promise<ContractTexts> {
  const [text = ''] = files.values();
  const document = await original();
  // In the place that they had.
  const open = 'servers' in document ? { ...document, servers: PLACE } : document;
  return {
    yaml: files.size > 1 ? textFor(stringifyYaml(document), stringifyYaml(open)) : textFor(text, openText(text)),
    json: textFor(jsonOf(document), jsonOf(open)),
  };
}

/** @param open the text with {@link PLACE} as its servers. */
function textFor(text: string, open: string): (urls: readonly string[] | undefined) => string {
  const [before = '', after] = open.split(new RegExp(`"?${PLACE}"?`));
  return (urls) =>
    urls === undefined || after === undefined
      ? text
      : // JSON is valid YAML in every place, and quotes every URL safely.
        `${before}${JSON.stringify(urls.map((url) => ({ url })))}${after}`;
}

function jsonOf(document: object): string {
  return `${stringifyJson(document, undefined, 2) ?? ''}\n`;
}

/**
 * A YAML text with {@link PLACE} as its `servers` and all other text kept. Without servers, the
 * contract's origin is its server.
 */
function openText(text: string): string {
  const { contents } = parseDocument(text);
  if (!isMap(contents)) return text;
  const pair = contents.items.find(({ key }) => isScalar(key) && key.value === 'servers');
  if (pair === undefined) return text;
  return `${text.slice(0, endOf(pair.key))}: ${PLACE}${text.slice(endOf(pair.value))}`;
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
