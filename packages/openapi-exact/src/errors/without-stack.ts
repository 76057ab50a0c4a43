/**
 * Creates an error without a stack, whose message says all: a stack within this library tells an
 * author nothing, and is slow to create.
 */
export function withoutStack<E extends Error>(create: () => E): E {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return create();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
