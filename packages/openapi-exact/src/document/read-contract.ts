import { readFile } from 'node:fs/promises';
import { messageOf, ConfigurationError } from '../errors/errors.ts';
import { bundle, type Bundle } from './bundle.ts';
import { checkDocument } from './check.ts';
import { rootFile, type ContractSource } from './contract-source.ts';
import { openCircles } from './circles.ts';
import type { OpenApiDocument, Schema } from '../schema/openapi-document.ts';
import { readOperations, type Contract, type Operation, type ReadContract } from './operations.ts';
import type { Diagnostic } from '../errors/diagnostic.ts';
import { completeItemSchemas } from './item-schemas.ts';
import { remainder } from './remainder.ts';
import { endlessChains } from '../schema/same-value.ts';
import { displayName, Sources } from './sources.ts';
import { convertToVersion31 } from './version-3.0.ts';
import { removeLaterFields } from './version-3.1.ts';

export type { Contract, Operation };

/** Where further mistakes can be searched. */
interface Readable {
  /** Whether the schemas of the contract can be compiled. */
  readonly isCompilable: boolean;
  /** The parts of a contract without those that are refused, where it cannot be read as a whole. */
  readonly rest: Contract | undefined;
}

/** With more references in circles, the rest of a contract is not read for further mistakes. */
const MAX_CIRCLES = 20;

/**
 * Reads a contract and collects its diagnostics.
 * @param source as loadContract takes it.
 * @param inspect sees the document as it was written, before it becomes one of OpenAPI 3.1.
 * @throws ContractError when it does not parse; ConfigurationError when it cannot be read.
 */
export async function readContract(
  source: ContractSource,
  inspect?: (bundle: Bundle) => void,
): Promise<ReadContract & Pick<Bundle, 'nodes' | 'versionOf'> & Readable> {
  const { path, text, hasLines } = rootFile(source);
  const sources = new Sources(path, hasLines);
  const bundled = await readBundle(sources, text);
  const { nodes, versionOf } = bundled;
  const { diagnostics, isReadable } = checkDocument(bundled);
  if (!isReadable) {
    const rest = readRest(bundled, diagnostics, sources);
    return {
      sources,
      contract: undefined,
      diagnostics: [...diagnostics, ...rest.diagnostics],
      nodes,
      versionOf,
      isCompilable: false,
      rest: rest.contract,
    };
  }
  // Every part that the service reads was checked.
  const checked = withPaths(bundled.document as OpenApiDocument);
  const schemas: readonly Schema[] = nodes.get('schema') ?? [];
  inspect?.(bundled);
  removeLaterFields(bundled);
  completeItemSchemas(checked, bundled);
  convertToVersion31(checked, bundled);
  const circles = openCircles(checked, bundled, sources);
  const chains = circles.length === 0 ? endlessChains(checked, schemas) : [];
  // What reads schemas follows them as far as they lead.
  if (chains.length > 0 || circles.length > MAX_CIRCLES) {
    const all = [...diagnostics, ...circles, ...chains];
    return { sources, contract: undefined, diagnostics: all, nodes, versionOf, isCompilable: false, rest: undefined };
  }
  const read = readOperations(checked, sources, () => bundledAgain(sources));
  // A mistake in a schema would be reported as one more when it is compiled.
  const isCompilable = diagnostics.length + circles.length === 0;
  return {
    ...read,
    nodes,
    versionOf,
    diagnostics: [...diagnostics, ...circles, ...read.diagnostics],
    isCompilable,
    rest: undefined,
  };
}

/** A document with paths: one of OpenAPI 3.1 may have webhooks or components alone. */
function withPaths(
  document: Omit<OpenApiDocument, 'paths'> & Partial<Pick<OpenApiDocument, 'paths'>>,
): OpenApiDocument {
  // Parts of the document are known by their identity, so that it is not copied.
  return Object.assign(document, { paths: document.paths ?? {} });
}

/** Reads the operations of a document without its refused parts. */
function readRest(
  bundled: Bundle,
  diagnostics: readonly Diagnostic[],
  sources: Sources,
): Pick<ReadContract, 'contract' | 'diagnostics'> {
  const remaining = remainder(bundled, diagnostics, sources);
  if (remaining === undefined) return { contract: undefined, diagnostics: [] };
  // Its refused parts are left out, and every other part was checked.
  const document = withPaths(remaining.document as OpenApiDocument);
  try {
    removeLaterFields(remaining);
    completeItemSchemas(document, remaining);
    convertToVersion31(document, remaining);
    const circles = openCircles(document, remaining, sources);
    const read = readOperations(document, sources, () => bundledAgain(sources));
    const isEndless = circles.length > 0 || endlessChains(document, remaining.nodes.get('schema') ?? []).length > 0;
    return { contract: isEndless ? undefined : read.contract, diagnostics: [...circles, ...read.diagnostics] };
  } catch {
    // A reference to a part that is left out: it can be followed once that part is corrected.
    return { contract: undefined, diagnostics: [] };
  }
}

/** The document as it was read, before it became one of OpenAPI 3.1. */
async function bundledAgain({ root, texts }: Sources): Promise<object> {
  const { document } = await bundle(new Sources(root), async (path) => {
    const text = texts.get(path);
    if (text === undefined) throw new Error(`${path} was not read before.`);
    return Promise.resolve(text);
  });
  // Safe: it was an object when the contract was checked.
  return document as object;
}

/** @param text of the contract's own file, where it need not be read. */
async function readBundle(sources: Sources, text: string | undefined): Promise<Bundle> {
  let bundled: Bundle;
  try {
    bundled = await bundle(sources, async (path) =>
      path === sources.root && text !== undefined ? text : readFile(path, 'utf8'),
    );
  } catch (cause) {
    const message = `The contract ${displayName(sources.root)} cannot be read: ${messageOf(cause)}`;
    throw new ConfigurationError(message, { cause });
  }
  if (bundled.parseError !== undefined) throw await sources.syntaxError(bundled.parseError);
  return bundled;
}
