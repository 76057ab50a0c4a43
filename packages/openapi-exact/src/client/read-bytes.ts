/**
 * Reads a response body and cancels it beyond a limit.
 * @returns undefined when the body has more than `limit` bytes after decompression.
 */
export async function readBytes({ body }: Response, limit: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (body === null) return new Uint8Array();
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  // A single growing array: many small chunks would need several times their size.
  let bytes = new Uint8Array(1_024);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytes.subarray(0, length);
    if (length + value.length > limit) {
      await reader.cancel();
      return undefined;
    }
    if (length + value.length > bytes.length) {
      const larger = new Uint8Array(Math.max(2 * bytes.length, length + value.length));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(value, length);
    length += value.length;
  }
}
