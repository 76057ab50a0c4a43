/** The form in which dates are sent (RFC 9110, section 5.6.7). `Date.parse` alone takes `-1` for a day in 2001. */
const IMF_FIXDATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads the field Retry-After: seconds, or a date (RFC 9110, section 10.2.3), as proxies send it.
 * @returns seconds from now on; undefined when there is no such field, or it says something else.
 */
export function secondsOf(retryAfter: string | null): number | undefined {
  // Node leaves blanks that end a field in its value.
  const text = retryAfter?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const date = IMF_FIXDATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}
