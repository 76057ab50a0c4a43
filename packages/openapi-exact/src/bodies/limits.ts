/** Limits of request bodies, in bytes unless said otherwise. */
export interface BodyLimits {
  /** A body that is read as a whole: JSON, forms, text, and multipart bodies of up to this size. */
  readonly buffered: number;
  /** A body that the handler reads as a stream; a `maxLength` in its schema wins. */
  readonly streamed: number;
  /** The number of parts of a multipart body. */
  readonly parts: number;
}

/** The limits that hold by default: 1 MiB, 1 GiB and 1,000 parts. */
export const BODY_LIMITS: BodyLimits = { buffered: 1024 * 1024, streamed: 1024 * 1024 * 1024, parts: 1_000 };
