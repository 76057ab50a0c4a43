/** Types of HTTP statuses, by the keys of a contract's responses. */

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

type NumberOf<Text> = Text extends `${infer Value extends number}` ? Value : never;

/** The statuses of a range such as `4XX`, by its first digit. */
export type StatusesOf<First extends Digit> = NumberOf<`${First}${Digit}${Digit}`>;

/** Every status that can end a request. */
export type FinalStatus = StatusesOf<2 | 3 | 4 | 5>;

/** Statuses without content, whatever the contract says (RFC 9110, 15.3.5, 15.3.6, 15.4.5). */
export type WithoutContent = 204 | 205 | 304;

/** The statuses of a number or range of the contract. */
export type Statuses<Status> = Status extends number
  ? Status
  : Status extends `${infer First extends Digit}XX`
    ? StatusesOf<First>
    : never;

/** What `default` describes: where a success is declared, failures alone. */
export type DefaultStatus<Declared> = [Extract<Declared, StatusesOf<2> | '2XX'>] extends [never]
  ? FinalStatus
  : StatusesOf<4 | 5>;

/** The statuses that a key of the responses describes, in the order of `declaredStatus`. */
export type StatusOf<Status, Declared> = Status extends number
  ? Status
  : Status extends 'default'
    ? Exclude<DefaultStatus<Declared>, Statuses<Declared>>
    : Exclude<Statuses<Status>, Declared>;
