import {
  $RefParser,
  getJsonSchemaRefParserDefaultOptions,
  type FileInfo,
  type ParserOptions,
} from '@apidevtools/json-schema-ref-parser';
import { resolve as resolvePath } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf, OperatorError } from '../../errors.ts';
import { checkDocument } from './check.ts';
import {
  METHODS,
  resolve,
  type Method,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
  type RequestBody,
  type Response,
  type SecurityRequirement,
} from './openapi-document.ts';
import type { Refusal } from './refusal.ts';
import { displayName, Sources } from './sources.ts';

/** An operation of the contract, with all inherited values filled in. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** The path template, without the base path of `servers`. */
  readonly path: string;
  /** The distinct paths of its `servers`, without trailing slash; `''` for the root. */
  readonly basePaths: readonly string[];
  /** Alternative security requirements; an empty list allows anonymous requests. */
  readonly security: readonly SecurityRequirement[];
  /** The operation's own parameters and those of its path, references resolved. */
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  /** By status, range or `default`, references resolved. */
  readonly responses: Readonly<Record<string, Response>>;
  readonly definition: OperationObject;
}

/** A contract that was read and checked. */
export interface Contract {
  readonly document: OpenApiDocument;
  /** The path of its file. */
  readonly path: string;
  /** Its files. */
  readonly sources: Sources;
  /** The distinct paths of `servers`, without trailing slash; `''` for the root. */
  readonly basePaths: readonly string[];
  readonly operations: readonly Operation[];
}

/** The result of reading a contract. */
export interface ReadContract {
  readonly sources: Sources;
  /** Undefined when the document is too broken for further checks. */
  readonly contract: Contract | undefined;
  readonly refusals: readonly Refusal[];
}

/**
 * Reads a contract and the files it refers to.
 * @throws ContractError with a line for each refusal, when it does not parse or is not a usable
 * OpenAPI 3.1 document; OperatorError when it cannot be read.
 */
export async function loadContract(file: URL): Promise<Contract> {
  const { sources, contract, refusals } = await readContract(file);
  if (contract === undefined || refusals.length > 0) throw await sources.error(refusals);
  return contract;
}

/**
 * Reads a contract and collects its refusals.
 * @throws ContractError when it does not parse or a reference cannot be resolved; OperatorError
 * when it cannot be read.
 */
export async function readContract(file: URL): Promise<ReadContract> {
  const path = fileURLToPath(file);
  const sources = new Sources(path);
  let bundled: unknown;
  try {
    bundled = await $RefParser.bundle(path, parserOptions(sources));
  } catch (error) {
    throw await diagnose(path, error);
  }
  const { document, refusals } = checkDocument(bundled);
  const contract = document && {
    document,
    path,
    sources,
    basePaths: basePaths(document),
    operations: operations(document),
  };
  return { sources, contract, refusals };
}

/** Lets the parser read files as usual and records their texts and values. */
function parserOptions(sources: Sources): Pick<ParserOptions, 'resolve' | 'parse'> {
  const { resolve, parse } = getJsonSchemaRefParserDefaultOptions();
  const [reader, parser] = [resolve.file, parse.yaml];
  return {
    resolve: {
      file: {
        read: async (file: FileInfo): Promise<string> => {
          if (typeof reader !== 'object' || typeof reader.read !== 'function') throw new Error('It reads no files.');
          // The type allows callback readers; the file reader returns a promise of the content.
          const text = String(await (reader.read(file) as Promise<Buffer>));
          sources.texts.set(file.url, text);
          return text;
        },
      },
    },
    parse: {
      // JSON is YAML.
      json: false,
      yaml: {
        parse: async (file: FileInfo): Promise<unknown> => {
          if (typeof parser !== 'object' || typeof parser.parse !== 'function') throw new Error('It parses no YAML.');
          // As above: the YAML parser returns a promise of the value.
          const value = await (parser.parse(file) as Promise<unknown>);
          sources.add(file.url, value);
          return value;
        },
      },
    },
  };
}

/** Reads a contract that cannot be bundled again, to find each place that prevents it. */
async function diagnose(path: string, error: unknown): Promise<OperatorError> {
  const sources = new Sources(path);
  const parser = new $RefParser();
  // The parser continues after errors; the checks below report them.
  await parser.resolve(path, { ...parserOptions(sources), continueOnError: true }).catch(() => undefined);
  const syntaxError = await sources.syntaxError();
  if (syntaxError !== undefined) return syntaxError;
  const refusals = sources.references.flatMap(({ node, $ref, file }): Refusal[] => {
    const [other = '', pointer = ''] = $ref.split('#');
    const target = other === '' ? file : resolvePath(file, '..', decodeURIComponent(other));
    if (parser.$refs.exists(`${target}#${pointer}`, {})) return [];
    const reason = sources.isParsed(target)
      ? `the reference ${$ref} leads nowhere: name something that is in ${displayName(target)}.`
      : `the file of the reference ${$ref} cannot be read: ${displayName(target)} must be a file beside the contract.`;
    return [{ node, key: '$ref', reason }];
  });
  if (refusals.length > 0) return sources.error(refusals, { cause: error });
  if (sources.isParsed(path)) return sources.error(checkDocument(undefined).refusals, { cause: error });
  const reason = messageOf(error)
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ');
  return new OperatorError(`The contract ${displayName(path)} cannot be read: ${reason}`, { cause: error });
}

function basePaths(document: OpenApiDocument): string[] {
  const servers = document.servers ?? [{ url: '/' }];
  const paths = servers.map(({ url, variables = {} }) => {
    const filled = url.replaceAll(/\{([^}]+)\}/g, (_, name: string) => variables[name]?.default ?? '');
    return new URL(filled, 'http://localhost').pathname.replace(/\/+$/, '');
  });
  return [...new Set(paths)];
}

function operations(document: OpenApiDocument): Operation[] {
  const shared = basePaths(document);
  return Object.entries(document.paths).flatMap(([path, reference]) => {
    const item = resolve(document, reference);
    return METHODS.flatMap((method): Operation[] => {
      // Lower-casing a Method gives the key under which a path item holds it; TypeScript does not
      // follow toLowerCase.
      const definition = item[method.toLowerCase() as Lowercase<Method>];
      if (definition === undefined) return [];
      const inherited = (item.parameters ?? []).map((parameter) => resolve(document, parameter));
      const own = (definition.parameters ?? []).map((parameter) => resolve(document, parameter));
      const overridden = (p: Parameter): boolean => own.some((o) => o.name === p.name && o.in === p.in);
      return [
        {
          id: definition.operationId,
          method,
          path,
          basePaths: shared,
          security: definition.security ?? document.security ?? [],
          parameters: [...inherited.filter((parameter) => !overridden(parameter)), ...own],
          requestBody: definition.requestBody && resolve(document, definition.requestBody),
          responses: Object.fromEntries(
            Object.entries(definition.responses).map(([status, response]) => [status, resolve(document, response)]),
          ),
          definition,
        },
      ];
    });
  });
}
