import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../src/errors/errors.ts';
import type { ErrorBody } from '../../src/server/error-body.ts';
import { loadContract } from '../../src/server/load-contract.ts';
import { contractMiddleware } from '../../src/server/middleware.ts';
import {
  operationKeys,
  writeJson,
  type ExampleMessages,
  type OperationKey,
  type SourceDocument,
  handlerValue,
  verifiersOf,
} from 'openapi-exact-cli/examples';
import { onlyOperations } from './single-operation.ts';

/** How a whole document starts. */
export interface Start {
  /** Why it does not start without the option errorBody; undefined if it does. */
  readonly withoutErrorBody: string | undefined;
  /** Why it does not start with a function that makes each body as its operation declares it. */
  readonly withErrorBody: string | undefined;
}

/** Starts all operations of a document together. @param file where the contract is written. */
export async function startDocument(messages: ExampleMessages, document: SourceDocument, file: string): Promise<Start> {
  const all = operationKeys(document);
  const byOperation = new Map(all.map((operationKey) => [keyOf(operationKey), operationKey]));
  await writeFile(file, writeJson(onlyOperations(document, all)));
  const errorBody: ErrorBody = ({ status }, _mediaTypes, operation) => {
    const operationKey = operation && byOperation.get(keyOf(operation));
    const body = operationKey && messages.failure(operationKey, status);
    return body && { contentType: body.contentType, body: handlerValue(body) };
  };
  return {
    withoutErrorBody: await startFault(file, undefined),
    withErrorBody: await startFault(file, errorBody),
  };
}

function keyOf({ method, path }: Pick<OperationKey, 'method' | 'path'>): string {
  // The library serves a path up to its `#`.
  return `${method.toUpperCase()} ${path.replace(/#.*$/s, '')}`;
}

async function startFault(file: string, errorBody: ErrorBody | undefined): Promise<string | undefined> {
  try {
    const contract = await loadContract(pathToFileURL(file));
    const handlers = Object.fromEntries(contract.operations.map(({ id }) => [id, () => ({ status: 500 })]));
    const verifiers = verifiersOf([], Object.keys(contract.document.components?.securitySchemes ?? {}));
    await contractMiddleware({ contract, handlers, verifiers, errorBody });
    return undefined;
  } catch (error) {
    return messageOf(error).replaceAll(file, '');
  }
}
