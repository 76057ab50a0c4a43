/** The options that have a default, which are never undefined. */
export type WithDefaults<Options, Name extends keyof Options> = {
  readonly [Key in Name]-?: Exclude<Options[Key], undefined>;
};

/**
 * The options that have a default: an option that is left out or undefined is its default. The one
 * rule of all public functions.
 * @returns the named options alone.
 * @example const { retries } = withDefaults({ retries: undefined }, { retries: 5 }); // 5
 */
export function withDefaults<Options extends object, Name extends keyof Options>(
  options: Options,
  defaults: WithDefaults<Options, Name>,
): WithDefaults<Options, Name> {
  const complete: Partial<Options> = {};
  // Safe: the defaults have no other names.
  for (const name of Object.keys(defaults) as Name[]) {
    const given = options[name];
    // Only undefined means the default; null is refused like any other wrong value.
    if (given === undefined) complete[name] = defaults[name];
    else complete[name] = given;
  }
  return complete as WithDefaults<Options, Name>;
}
