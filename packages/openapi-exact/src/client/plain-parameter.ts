import type { GivenParameter } from './given-parameter.ts';

/** Whether `plainText` writes a parameter, as it does nearly all; others need `styledText`. */
export function isPlain({ location, value, style }: GivenParameter): boolean {
  if (style !== undefined || location === 'cookie') return false;
  return typeof value !== 'object' || value === null || (Array.isArray(value) && location !== 'header');
}

/**
 * A scalar in the default style of its location, or a list in the path or the query.
 * @throws TypeError for a value that the style cannot write.
 */
export function plainText(parameter: GivenParameter): string {
  const { location, name, value } = parameter;
  if (location === 'header') return parameter.fieldValue(parameter.textOf(value));
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (parts.length === 0) throw parameter.emptyRefusal();
  const texts = parts.map((part) => parameter.percentEncoded(parameter.textOf(part)));
  if (location === 'path') return texts.join(',');
  return texts.map((text) => `${parameter.percentEncoded(name)}=${text}`).join('&');
}
