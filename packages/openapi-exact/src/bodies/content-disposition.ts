/** The parameters of a Content-Disposition header that a form uses. */
export interface Disposition {
  readonly type: string;
  readonly name: string | undefined;
  readonly filename: string | undefined;
}

const TYPE = /[\w!#$%&'*+.^`|~-]+[ \t]*/y;
const DISPOSITION_PARAMETER = /;[ \t]*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))[ \t]*/y;

/**
 * What browsers escape in a quoted text (HTML standard, section 4.10.22.8), and other clients by a
 * backslash (RFC 9110, section 5.6.4). Any other backslash is literal: browsers write it so.
 */
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '%0a': '\n', '%0d': '\r', '%22': '"' },
  ...{ '\\"': '"', '\\\\': '\\' },
};

/**
 * Parses the Content-Disposition of a part (RFC 7578, section 4.2), which has no `name*`.
 * @returns undefined for a header that is malformed or has a parameter twice.
 */
export function parseDisposition(header: string): Disposition | undefined {
  TYPE.lastIndex = 0;
  const type = TYPE.exec(header)?.[0];
  if (type === undefined) return undefined;
  const parameters = new Map<string, string>();
  for (let at = type.length; at < header.length; at = DISPOSITION_PARAMETER.lastIndex) {
    DISPOSITION_PARAMETER.lastIndex = at;
    const [, name, quoted, token = ''] = DISPOSITION_PARAMETER.exec(header) ?? [];
    if (name === undefined || parameters.has(name.toLowerCase())) return undefined;
    parameters.set(name.toLowerCase(), quoted === undefined ? token : unescape(quoted));
  }
  return { type: type.trim().toLowerCase(), name: parameters.get('name'), filename: parameters.get('filename') };
}

function unescape(text: string): string {
  return text.replaceAll(/%(?:0a|0d|22)|\\["\\]/gi, (escape) => ESCAPES[escape.toLowerCase()] ?? escape);
}
