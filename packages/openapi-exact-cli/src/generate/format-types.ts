import { ConfigurationError, formatCodecs, type Codecs } from 'openapi-exact/contract';
import ts from 'typescript';
import type { FormatOption } from './format-option.ts';

const { factory, SyntaxKind } = ts;

/** Names that the generated file declares itself. */
const DECLARED = /^(?:paths|webhooks|components|operations|securitySchemes|formats|filled|\$defs|Schema_.*)$/;

/** The types of the values of formats. */
export class FormatTypes {
  /** The formats that have a type of their own. */
  readonly typed: Codecs;
  readonly #options: readonly FormatOption[];
  readonly #nodes = new Map<string, ts.TypeNode>();

  /** @throws ConfigurationError for a type that does not compile, or a format given twice. */
  constructor(options: readonly FormatOption[]) {
    this.#options = options;
    for (const [index, { name }] of options.entries()) {
      if (options.findIndex((option) => option.name === name) < index)
        throw new ConfigurationError(`The format '${name}' is given twice: --format has one type for each.`);
    }
    const types = options.flatMap(({ name, type }) => (type === undefined ? [] : [{ name, type }]));
    for (const { name, type } of types) {
      requireType(name, type);
      const isName = /^[\p{ID_Continue}$.]+$/u.test(type);
      const node = factory.createTypeReferenceNode(type);
      this.#nodes.set(name, isName ? node : factory.createParenthesizedType(node));
    }
    this.typed = formatCodecs(types.map(({ name }) => name));
    requireNames(options);
  }

  /** The type of the values of a format: `bigint` for one of integers. */
  typeOf(format: string): ts.TypeNode {
    return this.#nodes.get(format) ?? BIGINT;
  }

  /** The imports of the types. */
  get imports(): string {
    const byModule = new Map<string, Set<string>>();
    for (const { type = '', module } of this.#options) {
      if (module !== undefined) byModule.set(module, (byModule.get(module) ?? new Set()).add(rootOf(type)));
    }
    const lines = [...byModule].map(([module, names]) => {
      return `import type { ${[...names].join(', ')} } from ${JSON.stringify(module)};\n`;
    });
    return lines.length === 0 ? '' : `${lines.join('')}\n`;
  }

  /** The interface `formats`, for `Formats` of openapi-exact; empty without a type. */
  get declaration(): string {
    const lines = this.#options.flatMap(({ name, type }) =>
      type === undefined ? [] : [`    ${JSON.stringify(name)}: ${type};\n`],
    );
    return lines.length === 0 ? '' : `export interface formats {\n${lines.join('')}}\n`;
  }
}

const BIGINT = factory.createKeywordTypeNode(SyntaxKind.BigIntKeyword);

/** @throws ConfigurationError for a text that is not a TypeScript type. */
function requireType(name: string, type: string): void {
  const { diagnostics = [] } = ts.transpileModule(`type Value = (${type}\n);`, { reportDiagnostics: true });
  const [first] = diagnostics;
  if (first === undefined && !/[;{}]\s*(?:type|export|import|declare|interface)\b/.test(type)) return;
  const why = first === undefined ? 'it is more than a type' : ts.flattenDiagnosticMessageText(first.messageText, ' ');
  throw new ConfigurationError(`'${type}' is not a type for the format '${name}': ${why}`);
}

/** @throws ConfigurationError for a name that two modules have, or the generated file itself. */
function requireNames(options: readonly FormatOption[]): void {
  const modules = new Map<string, string>();
  for (const { name, type = '', module } of options) {
    if (module === undefined) continue;
    const imported = rootOf(type);
    const known = modules.get(imported) ?? module;
    if (known === module && !DECLARED.test(imported)) {
      modules.set(imported, module);
      continue;
    }
    const owner = known === module ? 'the generated file declares it' : `${known} has it too`;
    throw new ConfigurationError(
      `The type ${imported} of the format '${name}' cannot be imported from ${module}: ${owner}. Export it under another name.`,
    );
  }
}

/** What is imported: of `Temporal.Instant`, its namespace. */
function rootOf(type: string): string {
  return type.replace(/\..*$/s, '');
}
