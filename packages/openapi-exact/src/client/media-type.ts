import { bodyKind, closestType } from '../document/media-type.ts';

/** True for JSON, such as `application/problem+json; charset=utf-8`. */
export function isJson(type: string): boolean {
  return bodyKind(type) === 'json';
}

/** The declared media type that describes a message, as {@link closestType} finds it. */
export function declaredType(types: readonly string[], received: string): string | undefined {
  return closestType(types, received, parametersOf);
}

/** The charset of a media type, in lower case; undefined if it names none. */
export function charsetOf(type: string): string | undefined {
  return allParameters(type).find(([name]) => name === 'charset')?.[1];
}

/** A text in the charset of its media type, or UTF-8; undefined if the charset is unknown. */
export function decodedText(bytes: ArrayBuffer | Uint8Array, type: string): string | undefined {
  try {
    return new TextDecoder(charsetOf(type) ?? 'utf-8').decode(bytes);
  } catch {
    return undefined;
  }
}

/** The parameters of a media type, except those that say how its bytes are read. */
function parametersOf(type: string): ReadonlyMap<string, string> {
  return new Map(allParameters(type).filter(([name]) => name !== 'charset' && name !== 'boundary'));
}

function allParameters(type: string): [name: string, value: string][] {
  const [, ...parameters] = type.split(';');
  return parameters.map((parameter): [string, string] => {
    const [name = '', value = ''] = parameter.split('=', 2).map((part) => part.trim().toLowerCase());
    return [name, value.replace(/^"(.*)"$/, '$1')];
  });
}
