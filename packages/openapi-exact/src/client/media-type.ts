/** True for JSON, such as `application/problem+json; charset=utf-8`. */
export function isJson(type: string): boolean {
  return /[/+]json$/.test(essenceOf(type));
}

/** True for a range such as `image/*`, which stands for many media types. */
export function isRange(type: string): boolean {
  return type.includes('*');
}

/** A media type without its parameters, in lower case. */
export function essenceOf(type: string): string {
  return type.replace(/;.*$/s, '').trim().toLowerCase();
}

/**
 * The declared media type that describes a message: the same one, or else the narrowest range. A
 * declared parameter has no other value in the message; the most equal ones win.
 */
export function declaredType(types: readonly string[], received: string): string | undefined {
  const essence = essenceOf(received);
  const range = essence.replace(/\/.*$/, '/*');
  const suffix = /\+[^+]*$/.exec(essence)?.[0] ?? '';
  const given = parametersOf(received);
  const equalOnes = (type: string): number => {
    const declared = [...parametersOf(type)];
    const isOther = declared.some(([name, value]) => given.has(name) && given.get(name) !== value);
    return isOther ? -1 : declared.filter(([name]) => given.has(name)).length + 1 / (declared.length + 1);
  };
  return [essence, range + suffix, range, '*/*'].flatMap((wanted) =>
    types
      .filter((type) => essenceOf(type) === wanted && equalOnes(type) >= 0)
      // toSorted is too new for the browsers of some.
      .sort((first, second) => equalOnes(second) - equalOnes(first)),
  )[0];
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
