/** The largest document, in bytes; the key sets of large providers have some 10 KB. */
const MAX_SIZE = 256 * 1024;

/**
 * Fetches a JSON document. Does not follow redirects: the URL decides which host is trusted.
 * @throws Error when the status is not 200 or the body is too large or not JSON; errors of fetch.
 */
export async function fetchJson(url: URL, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal, redirect: 'error', headers: { Accept: 'application/json' } });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${url.href} was answered ${response.status}, not 200.`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // A 200 response always has a body, and its chunks have this type (Fetch standard, "body").
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    // Leaving the loop cancels the transfer.
    if (size > MAX_SIZE) throw new Error(`The document at ${url.href} is larger than ${MAX_SIZE} bytes.`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch (cause) {
    throw new Error(`The document at ${url.href} is not JSON.`, { cause });
  }
}
