/**
 * A part of a multipart body without names, as handlers and clients get it.
 * @example
 * for await (const { contentType, value } of body) await save(contentType, value);
 */
export interface PartItem<Value = unknown> {
  readonly contentType: string;
  /** All headers of the part, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** A value of JSON, a text, bytes, or the parts of a multipart body within it. */
  readonly value: Value;
}

/** A part to send: its Content-Type may be left out where its value tells it. */
export type PartToSend<Item> =
  Item extends PartItem<infer Value>
    ? {
        readonly contentType?: string | undefined;
        readonly headers?: Readonly<Record<string, unknown>> | undefined;
        readonly value: ValueToSend<Value>;
      }
    : never;

/** The value of a part to send, which for a multipart body within it is a list of parts. */
type ValueToSend<Value> = Value extends readonly (infer Item)[]
  ? [Item] extends [PartItem]
    ? readonly PartToSend<Item>[]
    : Value
  : Value;
