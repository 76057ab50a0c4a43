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

/** A server in a text of a contract. */
interface NamedServer {
  readonly url: string;
  readonly name?: string | undefined;
}

/** A text of a contract with other `servers`; undefined keeps its own. */
type TextFor = (servers: readonly NamedServer[] | undefined) => string;

/** Stands for the value of `servers` in a text. */
const PLACE = randomUUID();

/**
 * The texts of a contract, from its files as they were at the start. Integers stay exact. Each is
 * made once, when it is first asked for: that takes long for a large contract.
 */
export class ContractTexts {
  readonly #contract: Contract;
  readonly #texts = new Map<'yaml' | 'json', Promise<TextFor>>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** The original text of a contract in one file; a bundle of several files loses comments. */
  async yaml(servers: readonly NamedServer[] | undefined): Promise<string> {
    return (await this.#textFor('yaml'))(servers);
  }

  async json(servers: readonly NamedServer[] | undefined): Promise<string> {
    return (await this.#textFor('json'))(servers);
  }

  async #textFor(format: 'yaml' | 'json'): Promise<TextFor> {
    const text = this.#texts.get(format) ?? this.#write(format);
    this.#texts.set(format, text);
    return text;
  }

  async #write(format: 'yaml' | 'json'): Promise<TextFor> {
    const [text = '', ...others] = this.#contract.sources.texts.values();
    if (format === 'yaml' && others.length === 0) return textFor(text, openText(text));
    const document = await this.#contract.original();
    const write = format === 'json' ? jsonOf : (value: object) => stringifyYaml(value);
    return textFor(write(document), write(withServers(document)));
  }
}

/** @param open the text with {@link PLACE} as its servers. */
function textFor(text: string, open: string): TextFor {
  const [before = '', after] = open.split(new RegExp(`"?${PLACE}"?`));
  return (servers) =>
    servers === undefined || after === undefined
      ? text
      : // JSON is valid YAML in every place, and quotes every URL safely.
        `${before}${JSON.stringify(servers)}${after}`;
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
