import type { ValueCount } from '../json/value-count.ts';
import type { RequestError } from '../errors/errors.ts';
import { requirementOf, type Fault } from '../errors/limits.ts';
import { keyOfToken, tokenOfKey } from '../json/json-pointer.ts';
import { resolve, type Encoding, type Header, type OpenApiDocument, type Schema } from '../schema/openapi-document.ts';
import { LOCATIONS } from '../parameters/locations.ts';
import { TextField, valuesOfFields } from '../parameters/text-field.ts';
import { refuseBodyAt } from './body-refusals.ts';
import { groupSchema } from '../parameters/value-schema.ts';

/** The headers that the contract declares for the parts of one name. */
export class PartHeaders {
  /** The schema of what {@link headerValues} returns. */
  readonly schema: Schema;
  readonly isDeclared: boolean;
  readonly #fields: readonly TextField[];

  constructor(document: OpenApiDocument, part: string, declared: Encoding['headers'] = {}) {
    // The encoding itself names the Content-Type.
    const headers = Object.entries(declared)
      .filter(([name]) => name.toLowerCase() !== 'content-type')
      .map(([name, header]) => ({ ...resolve<Header>(document, header), name, in: 'header' }) as const);
    const refuse = ({ place, keyword, limits }: Fault): RequestError => {
      const message = `The header '${keyOfToken(place)}' of the part '${part}' ${requirementOf(limits)}.`;
      return refuseBodyAt(`/${tokenOfKey(part)}`, keyword, 'invalidBody', message);
    };
    this.isDeclared = headers.length > 0;
    this.#fields = headers.map((header) => new TextField(document, header, { ...LOCATIONS.header, refuse }));
    this.schema = groupSchema(document, headers);
  }

  /**
   * @param headers of a part, by lower-case name. @param count of the values of the message.
   * @throws RequestError invalidBody.
   */
  headerValues(headers: Readonly<Record<string, string>>, count: ValueCount): Record<string, unknown> {
    const textsOf = (name: string): readonly string[] | undefined => {
      const text = headers[name.toLowerCase()];
      return text === undefined ? undefined : [text];
    };
    return valuesOfFields(this.#fields, textsOf, count);
  }
}
