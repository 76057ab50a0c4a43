import type { onAbort } from './abortable.ts';

/**
 * The body of a response as a stream that the caller's signal ends, without a limit of bytes or
 * time. Nothing is read before it is asked for.
 * @param failureOf makes the error of a connection that breaks.
 * @param listen calls a listener when a signal is aborted.
 */
export function responseStream(
  { body }: Response,
  signal: AbortSignal | undefined,
  failureOf: (cause: unknown) => Error,
  listen: typeof onAbort,
): ReadableStream<Uint8Array> {
  const source: ReadableStream<Uint8Array> = body ?? new Blob([]).stream();
  const reader = source.getReader();
  let leave = (): void => undefined;
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        if (signal === undefined) return;
        leave = listen(signal, () => {
          controller.error(signal.reason);
          void reader.cancel(signal.reason).catch(() => undefined);
        });
      },
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (!done) {
            controller.enqueue(value);
            return;
          }
          controller.close();
        } catch (cause) {
          controller.error(failureOf(cause));
        }
        leave();
      },
      cancel: async (reason) => {
        leave();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
