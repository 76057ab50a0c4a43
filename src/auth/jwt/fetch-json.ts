/** Bytes: the key sets of large providers have some 10 KB. */
const MAX_SIZE = 256 * 1024;

/**
 * Fetches a JSON document. Redirects are not followed: who may answer is settled by the URL.
 * @throws Error when it is not answered 200, is too large or no JSON; whatever fetch throws.
 */
export async function fetchJson(url: URL, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal, redirect: 'error', headers: { Accept: 'application/json' } });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${url.href} was answered ${response.status}, not 200.`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // A response with the status 200 has a body, be it empty; its chunks are of this type (Fetch, "body").
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    // Leaving the loop ends the transfer.
    if (size > MAX_SIZE) throw new Error(`The document at ${url.href} is larger than ${MAX_SIZE} bytes.`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch (cause) {
    throw new Error(`The document at ${url.href} is no JSON.`, { cause });
  }
}
