import { parse } from 'content-type';
import { closestType } from './media-type.ts';

/** The declared media type that describes a message, as {@link closestType} finds it. */
export function declaredType(types: readonly string[], mediaType: string): string | undefined {
  return closestType(types, mediaType, parametersOf);
}

/** The parameters of a media type, except those that say how its bytes are read. */
function parametersOf(mediaType: string): ReadonlyMap<string, string> {
  const { charset: _, boundary: __, ...parameters } = parse(mediaType).parameters;
  return new Map(Object.entries(parameters).map(([name, value]) => [name, value.toLowerCase()]));
}
