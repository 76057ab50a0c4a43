import type { MediaShape } from './shape.ts';

/**
 * Whether the data of an event are JSON: as the contract says for its name, else by the event.
 * @param looksJson whether the data themselves suggest it, where the contract leaves it open.
 */
export function isJsonData(
  jsonData: MediaShape['jsonData'],
  event: string | undefined,
  looksJson: () => boolean,
): boolean {
  if (Array.isArray(jsonData)) return event !== undefined && jsonData.includes(event);
  return jsonData === 'all' || (jsonData === 'some' && looksJson());
}
