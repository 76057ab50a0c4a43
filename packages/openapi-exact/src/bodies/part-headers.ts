import type { ValueCount } from '../json/value-count.ts';
import type { OpenApiDocument, Parameter, Schema } from '../schema/openapi-document.ts';
import { LOCATIONS, type Refuse } from '../parameters/locations.ts';
import { TextField, valuesOfFields } from '../parameters/text-field.ts';
import { groupSchema } from '../parameters/value-schema.ts';

/** The headers that the contract declares for the parts of one name, or at one position. */
export class PartHeaders {
  /** The schema of what {@link headerValues} returns. */
  readonly schema: Schema;
  readonly isDeclared: boolean;
  readonly #fields: readonly TextField[];

  /** @param refuse makes the error for a value of a header, whose place is its name. */
  constructor(document: OpenApiDocument, declared: readonly Parameter[], refuse: Refuse) {
    this.isDeclared = declared.length > 0;
    this.#fields = declared.map((header) => new TextField(document, header, { ...LOCATIONS.header, refuse }));
    this.schema = groupSchema(document, declared);
  }

  /**
   * @param headers of a part, by lower-case name. @param count of the values of the message.
   * @throws the error of `refuse`.
   */
  headerValues(headers: Readonly<Record<string, string>>, count: ValueCount): Record<string, unknown> {
    const textsOf = (name: string): readonly string[] | undefined => {
      const text = headers[name.toLowerCase()];
      return text === undefined ? undefined : [text];
    };
    return valuesOfFields(this.#fields, textsOf, count);
  }
}
