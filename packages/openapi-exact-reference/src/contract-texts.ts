import { stringify as stringifyJson } from 'lossless-json';
import { randomUUID } from 'node:crypto';
import {
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  parseDocument,
  stringify as stringifyYaml,
  type Pair,
} from 'yaml';
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
  const open = withServers(document);
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

/** A document with {@link PLACE} as its `servers`: where they were, else before its paths. */
function withServers(document: object): object {
  const members = Object.entries(document).filter(([name]) => name !== 'servers');
  const before = Object.keys(document).indexOf('servers' in document ? 'servers' : 'paths');
  const index = before === -1 ? members.length : before;
  return Object.fromEntries([...members.slice(0, index), ['servers', PLACE], ...members.slice(index)]);
}

/** A YAML text with {@link PLACE} as its `servers` and all other text kept. */
function openText(text: string): string {
  const { contents } = parseDocument(text);
  if (!isMap(contents)) return text;
  const pairNamed = (name: string): Pair | undefined =>
    contents.items.find(({ key }) => isScalar(key) && key.value === name);
  const servers = pairNamed('servers');
  if (servers !== undefined) return `${text.slice(0, endOf(servers.key))}: ${PLACE}${text.slice(endOf(servers.value))}`;
  const start = startOf((pairNamed('paths') ?? contents.items[0])?.key);
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  // In braces, as JSON has it, a comma separates members; otherwise each has its line and indent.
  const separator = contents.flow === true ? ', ' : `\n${line}`;
  return `${text.slice(0, start)}${contents.flow === true ? '"servers"' : 'servers'}: ${PLACE}${separator}${text.slice(start)}`;
}

function startOf(node: unknown): number {
  if (!isNode(node) || node.range == null) throw new Error('The YAML parser has set no range for a node.');
  return node.range[0];
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
