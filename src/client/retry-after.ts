/**
 * The preferred date format (RFC 9110, section 5.6.7). `Date.parse` reads `-1` as a date in 2001.
 */
const IMF_FIXDATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Parses Retry-After: seconds, or a date (RFC 9110, section 10.2.3), which proxies may send.
 * @returns seconds from now; undefined without a valid value.
 */
export function secondsOf(retryAfter: string | null): number | undefined {
  // Node keeps trailing white space in field values.
  const text = retryAfter?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const date = IMF_FIXDATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}
