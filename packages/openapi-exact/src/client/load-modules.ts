import { abortable, TIME_IS_OVER, type Bounds } from './abortable.ts';
import { ConnectionError, TimeoutError } from './client-error.ts';
import type * as items from './items.ts';
import type * as parts from './parts.ts';
import type { MediaShapes, OperationShape } from './shape.ts';

/** Imports what reads and writes items. */
export function importItems(): Promise<typeof items> {
  return import('./items.ts');
}

/** Imports what reads and writes the parts of multipart bodies without names. */
export function importParts(): Promise<typeof parts> {
  return import('./parts.ts');
}

/**
 * Loads the modules that few operations need: bundlers that split code put each in a file of its
 * own. Once this is done, importing them cannot fail.
 * @throws ConnectionError if one cannot be loaded, TimeoutError, or the reason of the signal.
 */
export async function loadModules({ body, responses }: OperationShape, bounds: Bounds): Promise<void> {
  const contents = [body, ...Object.values(responses)].flatMap((content: MediaShapes) => Object.values(content));
  if (!contents.some(({ isSequence }) => isSequence === true)) return;
  const hasParts = contents.some(({ parts: shapes }) => shapes !== undefined);
  try {
    await abortable(bounds, () => Promise.all([importItems(), ...(hasParts ? [importParts()] : [])]));
  } catch (cause) {
    bounds.signal?.throwIfAborted();
    const details = { outcome: 'nothing done', cause } as const;
    const what = 'A module of the client was not loaded';
    if (cause === TIME_IS_OVER) throw new TimeoutError(`${what} within ${bounds.timeout} ms.`, details);
    throw new ConnectionError(`${what}, and nothing was sent: ${String(cause)}.`, details);
  }
}
