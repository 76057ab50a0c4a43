/** Media types of JSON, parameters included. */
type JsonMediaType =
  | 'application/json'
  | `${string}/json`
  | `${string}+json`
  | `${string}/json;${string}`
  | `${string}+json;${string}`;

/** The media types of JSON among others; the contract may write them in capitals. */
export type JsonOf<Type> = Type extends string ? (Lowercase<Type> extends JsonMediaType ? Type : never) : never;
