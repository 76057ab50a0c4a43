import { withinCall, type CallBounds } from './call-bounds.ts';
import { ConnectionError } from './client-error.ts';
import type * as fetchWithHooks from './fetch-with-hooks.ts';
import type { Hooks } from './hooks.ts';
import type * as items from './items.ts';
import type * as parts from './parts.ts';
import type * as placedCredential from './placed-credential.ts';
import type { MediaShapes, OperationShape } from './shape.ts';
import type * as styledParameter from './styled-parameter.ts';

/** Whether functions of a client take part in its attempts. */
export function hasHooks({ onRequest, onResponse }: Hooks): boolean {
  return (onRequest ?? onResponse) !== undefined;
}

/** Imports what sends a request through hooks. */
export function importHooks(): Promise<typeof fetchWithHooks> {
  return import('./fetch-with-hooks.ts');
}

/** Imports what reads and writes items. */
export function importItems(): Promise<typeof items> {
  return import('./items.ts');
}

/** Imports what reads and writes the parts of multipart bodies without names. */
export function importParts(): Promise<typeof parts> {
  return import('./parts.ts');
}

/** Imports what sends credentials other than bearer tokens. */
export function importCredentials(): Promise<typeof placedCredential> {
  return import('./placed-credential.ts');
}

/** Imports what writes parameters in other styles than the default one of their location. */
export function importStyles(): Promise<typeof styledParameter> {
  return import('./styled-parameter.ts');
}

const MISSING = 'A module of the client was not loaded';

/**
 * Loads a module that few calls need, before anything is sent: bundlers that split code put it in a
 * file of its own. Once this is done, importing it cannot fail.
 * @throws ConnectionError if it cannot be loaded, TimeoutError, or the reason of the signal.
 */
export async function loadModule<Module>(importModule: () => Promise<Module>, bounds: CallBounds): Promise<Module> {
  return withinCall(bounds, MISSING, 'nothing done', async () => {
    try {
      return await importModule();
    } catch (cause) {
      const message = `${MISSING}, and nothing was sent: ${String(cause)}.`;
      throw new ConnectionError(message, { outcome: 'nothing done', cause });
    }
  });
}

/**
 * Loads what reads and writes the items of an operation and streams, where a call needs it.
 * @throws as `loadModule` does.
 */
export async function loadItems(
  { body, responses }: OperationShape,
  isStreamed: boolean,
  bounds: CallBounds,
): Promise<void> {
  const contents = [body, ...Object.values(responses)].flatMap((content: MediaShapes) => Object.values(content));
  if (isStreamed || contents.some(({ sequence }) => sequence !== undefined)) await loadModule(importItems, bounds);
  if (contents.some(({ parts: shapes }) => shapes !== undefined)) await loadModule(importParts, bounds);
}
