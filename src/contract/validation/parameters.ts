import { OperatorError } from '../../errors.ts';
import { isSchema, resolve, type OpenApiDocument, type Parameter, type Schema } from '../document/openapi-document.ts';
import { isNumeric, numericReader, type NumericReader } from '../numbers/numeric-reader.ts';
import { requireExactBounds, requireServableParameter } from './servable.ts';

/** What express-openapi-validator calls a "serDes": how strings of a format become values. */
export interface Deserializer {
  readonly format: string;
  readonly deserialize: (text: string) => unknown;
}

/**
 * The schemas of an operation's parameters as express-openapi-validator shall see them. It turns texts into numbers as
 * JavaScript does, so that `0x10` is 16 and 2^53 + 1 is another number; so numeric parameters are strings to it. Numbers in the
 * path are read exactly before it sees them; the others, and the items of arrays, have a format each, whose deserialiser does so.
 */
export class ParameterSchemas {
  readonly deserializers: Deserializer[] = [];
  /** The readers of the numbers in the path, by the names of their parameters. */
  readonly pathReaders = new Map<string, NumericReader>();
  /** Schemas that the parameters refer to in `components`. */
  readonly itemSchemas: Record<string, Schema> = {};
  readonly #document: OpenApiDocument;
  readonly #operation: string;

  constructor(document: OpenApiDocument, operation: string) {
    this.#document = document;
    this.#operation = operation;
  }

  /** @throws OperatorError, which names the place, for a parameter that cannot be served exactly. */
  parameter(parameter: Parameter): Parameter {
    const { name, in: location, schema } = parameter;
    const refuse = (what: string): never => {
      throw new OperatorError(`${this.#operation}, parameter '${name}' (${location}): ${what}`);
    };
    requireServableParameter(parameter, refuse);
    if (schema === undefined) return refuse("parameters with 'content' are not served, use 'schema'.");
    // express-openapi-validator would read them as objects.
    if (name.includes('[')) return refuse("a name with '[' is not served.");
    // The defaults of OpenAPI 3.1, "Parameter Object", which the validator knows for queries only.
    const { style = location === 'query' ? 'form' : 'simple', explode = style === 'form' } = parameter;
    return {
      ...parameter,
      style,
      explode,
      schema: this.#schema(schema, refuse, location === 'path' ? name : undefined),
    };
  }

  /** @param pathName the name of the parameter in the path whose schema it is. */
  #schema(reference: Schema, refuse: (what: string) => never, pathName?: string): Schema {
    const { $ref } = reference;
    const schema =
      $ref === undefined ? reference : { ...resolve<Schema>(this.#document, { $ref }), ...without$ref(reference) };
    const types = [schema.type].flat().filter((type) => type !== undefined && type !== 'null');
    const [type] = types;
    if (
      types.length !== 1 ||
      type === 'object' ||
      ['oneOf', 'anyOf', 'allOf', 'not', 'if'].some((key) => key in schema)
    ) {
      return refuse('it must have one type, a scalar or an array of scalars; objects and combinations are not served.');
    }
    // A text cannot be null: what is nullable here is optional.
    if (type === 'array') {
      const { items } = schema;
      if (!isSchema(items)) return refuse("an array must have 'items'.");
      // It deserialises the items of an array only where they are a schema of their own.
      const name = `items.${Object.keys(this.itemSchemas).length}`;
      this.itemSchemas[name] = this.#schema(items, refuse);
      const preset = Array.isArray(schema['default']) && { default: schema['default'].map(String) };
      return { ...schema, type, items: { $ref: `#/components/schemas/${name}` }, ...preset };
    }
    requireExactBounds(schema, refuse);
    if (!isNumeric(schema)) return { ...schema, type: String(type) };
    const reader = numericReader(schema);
    if (pathName !== undefined) {
      this.pathReaders.set(pathName, reader);
      return { type: 'string' };
    }
    const format = `numeric:${this.deserializers.length}`;
    this.deserializers.push({ format, deserialize: deserializer(reader) });
    return {
      type: 'string',
      format,
      ...(typeof schema['default'] === 'number' && { default: String(schema['default']) }),
    };
  }
}

function deserializer({ read, requirement }: NumericReader): (text: string) => bigint | number {
  // Made once: where it is thrown tells nobody anything, and finding that out takes longer than all the rest.
  const refusal = new Error(requirement);
  return (text) => {
    const value = read(text);
    if (value === undefined) throw refusal;
    return value;
  };
}

function without$ref({ $ref: _, ...siblings }: Schema): Schema {
  return siblings;
}
