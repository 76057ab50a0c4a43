/** An amount of money, which a double would round: whole cents. */
export class Decimal {
  readonly cents: bigint;

  constructor(cents: bigint) {
    this.cents = cents;
  }

  /** @throws SyntaxError unless the text has two decimal places, such as `12.50`. */
  static parse(text: string): Decimal {
    return new Decimal(BigInt(text.replace(/\.(\d\d)$/, '$1')));
  }

  toString(): string {
    const digits = String(this.cents).padStart(3, '0');
    return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  }

  /** For events, which are not of the contract's schemas. */
  toJSON(): string {
    return this.toString();
  }
}
