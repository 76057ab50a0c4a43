import { isIP, isIPv4, isIPv6 } from 'node:net';
import { isIdnaLabel } from './idna-label.ts';
import { isRegularExpression } from './regular-expression.ts';

/** Formats of texts with own rules: those of ajv-formats differ, or turn texts into dates. */
export const TEXT_FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  // Without a group that is repeated, for which a long text would need a deep stack.
  byte: (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
  date: (text) => DATE.test(text) && isDay(text),
  duration: isDuration,
  email: isMailbox,
  hostname: isHostname,
  ipv4: isIPv4,
  // Without a zone, which net takes.
  ipv6: (text) => !text.includes('%') && isIPv6(text),
  'json-pointer': (text) => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text),
  regex: isRegularExpression,
  'date-time': (text) => DATE_TIME.test(text) && isDay(text) && isTimeOfDayAt(text, 11),
  time: (text) => TIME.test(text) && isTimeOfDayAt(text, 0),
  uri: isUri,
  'uri-reference': (text) => isUri(text) || (/^[^:/?#]*(?:[/?#]|$)/.test(text) && isHierarchy(text)),
  uuid: (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
};

/**
 * True for a duration (RFC 3339, appendix A): a unit between the first and the last is never left
 * out, and weeks stand alone.
 */
function isDuration(text: string): boolean {
  const [, date = '', time, weeks] = /^P(?:([\dYMD]*)(?:T([\dHMS]+))?|(\d+W))$/.exec(text) ?? [];
  if (weeks !== undefined) return true;
  const isDates = date === '' ? time !== undefined : isConsecutive(date, 'YMD');
  return isDates && (time === undefined || isConsecutive(time, 'HMS'));
}

/** True for numbers with units that follow each other. @param units in their order. */
function isConsecutive(text: string, units: string): boolean {
  const isWritten = /^(?:\d+[A-Z]){1,3}$/.test(text);
  return isWritten && units.includes(text.replaceAll(/\d/g, ''));
}

/** True for a host name (RFC 1123, section 2.1), which ends with no dot; labels may be of IDNA. */
function isHostname(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => LABEL.test(label) && isIdnaLabel(label.toLowerCase()));
}

const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/** Maximum length of the part before the `@` (RFC 5321, section 4.5.3.1.1). */
const MAX_LOCAL = 64;

/** True for a mailbox (RFC 5321, section 4.1.2), whose domain may have one label. */
function isMailbox(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (local.length > MAX_LOCAL) return false;
  const [, address = ''] = /^\[(?:IPv6:)?(.*)\]$/i.exec(domain) ?? [];
  const isLocal = /^(?:[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*|"(?:[ !#-[\]-~]|\\[ -~])*")$/.test(local);
  return at > 0 && isLocal && (isHostname(domain) || isIP(address) === (/^\[IPv6:/i.test(domain) ? 6 : 4));
}

/** How a full-date, a full-time and a date-time are written (RFC 3339, section 5.6). */
const FULL_DATE = String.raw`\d{4}-\d\d-\d\d`;
const FULL_TIME = String.raw`\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)`;
const DATE = new RegExp(`^${FULL_DATE}$`);
const TIME = new RegExp(`^${FULL_TIME}$`, 'i');
const DATE_TIME = new RegExp(`^${FULL_DATE}t${FULL_TIME}$`, 'i');

const MONTH_LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** True where the full-date at the beginning of a text is a day of the calendar. */
function isDay(text: string): boolean {
  const [year, month, day] = [numberAt(text, 0, 4), numberAt(text, 5), numberAt(text, 8)];
  if (day < 1 || day > (MONTH_LENGTHS[month - 1] ?? 0)) return false;
  return month !== 2 || day < 29 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0));
}

/**
 * True where a full-time, which ends the text, is a time of the day; a leap second is the last one
 * of a day in UTC.
 * @param start where the full-time begins.
 */
function isTimeOfDayAt(text: string, start: number): boolean {
  const [hour, minute, second] = [numberAt(text, start), numberAt(text, start + 3), numberAt(text, start + 6)];
  if (hour > 23 || minute > 59 || second > 60) return false;
  const isUtc = text.endsWith('Z') || text.endsWith('z');
  const zone = text.length - '+00:00'.length;
  const [zoneHour, zoneMinute] = isUtc ? [0, 0] : [numberAt(text, zone + 1), numberAt(text, zone + 4)];
  if (zoneHour > 23 || zoneMinute > 59) return false;
  const offset = (zoneHour * 60 + zoneMinute) * (text[zone] === '-' ? -1 : 1);
  return second < 60 || (hour * 60 + minute - offset + 1440 * 2) % 1440 === 1439;
}

const DIGIT_0 = 0x30;

/** The number in `length` digits of a text. @param index of the first digit. */
function numberAt(text: string, index: number, length = 2): number {
  let number = 0;
  for (let at = index; at < index + length; at++) number = number * 10 + text.charCodeAt(at) - DIGIT_0;
  return number;
}

/** True for a URI (RFC 3986, section 3). */
function isUri(text: string): boolean {
  const scheme = /^[a-z][a-z\d+.-]*:/i.exec(text)?.[0];
  return scheme !== undefined && isHierarchy(text.slice(scheme.length));
}

/** True for what follows the scheme of a URI: authority, path, query and fragment (section 3). */
function isHierarchy(text: string): boolean {
  const authority = /^\/\/([^/?#]*)/.exec(text)?.[1];
  const others = authority === undefined ? text : text.slice('//'.length + authority.length);
  const isWritten = /^[\w.~!$&'()*+,;=:@/?%-]*(?:#[\w.~!$&'()*+,;=:@/?%-]*)?$/.test(others);
  const isEncoded = !/%(?![\da-f]{2})/i.test(text);
  return isWritten && isEncoded && (authority === undefined || isAuthority(authority));
}

/** True for a host with a user and a port, if any (section 3.2). */
function isAuthority(text: string): boolean {
  const [host = '', user = '', ...further] = text.split('@').toReversed();
  const [, address, version] = /^\[(?:([\da-f:.]+)|(v[\da-f]+\.[\w.~!$&'()*+,;=:-]+))\](?::\d*)?$/i.exec(host) ?? [];
  const isHost = version !== undefined || isIP(address ?? '') === 6 || /^[\w.~!$&'()*+,;=%-]*(?::\d*)?$/.test(host);
  return further.length === 0 && isHost && /^[\w.~!$&'()*+,;=:%-]*$/.test(user);
}
