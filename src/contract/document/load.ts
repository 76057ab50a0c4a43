import $RefParser, { getJsonSchemaRefParserDefaultOptions, type FileInfo } from '@apidevtools/json-schema-ref-parser';
import { relative } from 'node:path';
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
  type SecurityRequirement,
} from './openapi-document.ts';

/** An operation of the contract, with everything that OpenAPI lets it inherit filled in. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** The path template, without the base path of `servers`. */
  readonly path: string;
  /** Alternatives of credentials; none at all means that anybody may call it. */
  readonly security: readonly SecurityRequirement[];
  /** The operation's own parameters and those of its path, references followed. */
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly definition: OperationObject;
}

/** A contract that was read and checked. */
export interface Contract {
  readonly document: OpenApiDocument;
  /** The path of its file. */
  readonly path: string;
  /**
   * The texts of its files as they were read, its own first; the keys are the parser's names for
   * them.
   */
  readonly files: ReadonlyMap<string, string>;
  /** The distinct paths of `servers`, without trailing slash; `''` for the root. */
  readonly basePaths: readonly string[];
  readonly operations: readonly Operation[];
}

/**
 * Reads a contract and the files it refers to.
 * @throws OperatorError with one line when it cannot be read, does not parse or is no usable
 * OpenAPI 3.1 document.
 */
export async function loadContract(file: URL): Promise<Contract> {
  const path = fileURLToPath(file);
  const name = relative(process.cwd(), path).startsWith('..') ? path : relative(process.cwd(), path);
  const files = new Map<string, string>();
  let bundled: unknown;
  try {
    bundled = await $RefParser.bundle(path, { resolve: { file: { read: recordInto(files) } } });
  } catch (error) {
    throw new OperatorError(`The contract ${name} cannot be read: ${oneLine(error)}`, { cause: error });
  }
  const problem = checkDocument(bundled);
  if (problem !== undefined) throw new OperatorError(`The contract ${name} is invalid: ${problem}`);
  // checkDocument has just found the parts that this type names.
  const document = bundled as OpenApiDocument;
  return { document, path, files, basePaths: basePaths(document), operations: operations(document) };
}

/** Reads files as the parser does, and keeps their texts. */
function recordInto(files: Map<string, string>): (file: FileInfo) => Promise<string> {
  const reader = getJsonSchemaRefParserDefaultOptions().resolve.file;
  return async (file) => {
    if (typeof reader !== 'object' || typeof reader.read !== 'function') throw new Error('The parser reads no files.');
    // Its type allows for readers that answer through a callback; that of files returns a promise
    // of the content.
    const text = String(await (reader.read(file) as Promise<Buffer>));
    files.set(file.url, text);
    return text;
  };
}

function oneLine(error: unknown): string {
  return messageOf(error)
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ');
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
          security: definition.security ?? document.security ?? [],
          parameters: [...inherited.filter((parameter) => !overridden(parameter)), ...own],
          requestBody: definition.requestBody && resolve(document, definition.requestBody),
          definition,
        },
      ];
    });
  });
}
