/** The fields of an event as texts. */
export interface EventFields {
  readonly event?: string | undefined;
  readonly data?: string | undefined;
  readonly id?: string | undefined;
  readonly retry?: number | undefined;
}

/**
 * An event as `text/event-stream` has it (HTML standard, section 9.2).
 * @throws Error for a field whose line break would begin another field.
 */
export function writtenEvent({ event, data, id, retry }: EventFields): string {
  if (retry !== undefined && !(Number.isSafeInteger(retry) && retry >= 0)) {
    throw new Error(`The retry of an event must be a whole number of milliseconds, not ${String(retry)}.`);
  }
  const lines = [
    ...(event === undefined ? [] : [field('event', event)]),
    ...(id === undefined ? [] : [field('id', id)]),
    ...(retry === undefined ? [] : [field('retry', String(retry))]),
    ...(data === undefined ? [] : data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)),
  ];
  return `${lines.join('')}\n`;
}

function field(name: string, value: string): string {
  if (/[\r\n\0]/.test(value)) throw new Error(`The ${name} of an event must be a single line.`);
  return `${name}: ${value}\n`;
}
