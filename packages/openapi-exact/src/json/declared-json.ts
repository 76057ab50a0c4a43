/** What is declared of a JSON value at one place: what is not declared is not copied. */
export interface DeclaredJson {
  /** Whether nothing at this place, or below it, is left out. */
  readonly isOpen: boolean;
  /** What is declared of a property; undefined for a property that is not declared. */
  propertyOf(name: string): DeclaredJson | undefined;
  itemOf(index: number): DeclaredJson;
  /**
   * Takes out what the alternatives that a value fits do not declare.
   * @param copy of a value without what no alternative declares; it may be changed.
   */
  decided(copy: unknown): unknown;
}
