import {
  HiddenProperties,
  LOCATIONS,
  SAME_VALUE,
  ValueReader,
  fieldsOf,
  isJsonText,
  isObject,
  isSchema,
  lastKey,
  list,
  own,
  reaching,
  targetOf,
  type Direction,
  type Kind,
  type OpenApiDocument,
  type Schema,
} from 'openapi-exact/contract';
import { copyFields } from './copy-fields.ts';

/**
 * Copies a document for openapi-typescript, which types a schema alike wherever it stands: here the
 * schemas of request bodies allow no read-only property and those of responses none that is
 * write-only, and parameters with `content` have a schema.
 */
export function directedDocument(document: OpenApiDocument): OpenApiDocument {
  const added: Record<string, Schema> = {};
  const copies: Copies = {
    document,
    readOnly: new DirectedSchemas(document, 'readOnly', added),
    writeOnly: new DirectedSchemas(document, 'writeOnly', added),
  };
  // A copy of an OpenAPI document is one.
  const copy = directedCopy('document', document, copies) as OpenApiDocument;
  const { components } = copy;
  return { ...copy, components: { ...components, schemas: { ...components?.schemas, ...added } } };
}

type Copies = Readonly<Record<Direction, DirectedSchemas>> & { readonly document: OpenApiDocument };

/** The direction of what is in objects of a kind; parameters and `components` have none. */
const DIRECTIONS: Partial<Record<Kind, Direction>> = {
  requestBody: 'readOnly',
  response: 'writeOnly',
  header: 'writeOnly',
};

function directedCopy(kind: Kind, node: unknown, copies: Copies, outer?: Direction): unknown {
  if (!isObject(node)) return node;
  const direction = DIRECTIONS[kind] ?? outer;
  if (kind === 'schema') return direction === undefined ? node : copies[direction].directedSchema(node);
  const copy = copyFields(kind, node, (child, { kind: inner }) => directedCopy(inner, child, copies, direction));
  return kind === 'parameter' || kind === 'header' ? withSchema(copies.document, copy) : copy;
}

/** JSON and scalars in a parameter have their schema; any other content is a text. */
function withSchema(document: OpenApiDocument, parameter: Record<string, unknown>): Record<string, unknown> {
  const { schema, content } = parameter;
  const [mediaType] = Object.keys(fieldsOf(content));
  if (schema !== undefined || mediaType === undefined) return parameter;
  const described = own(own(content, mediaType), 'schema');
  const values = new ValueReader(document, described, LOCATIONS.query.refuse);
  if (isJsonText(mediaType, values)) return { ...parameter, schema: described ?? {} };
  return { ...parameter, schema: (values.isScalar ? described : undefined) ?? { type: 'string' } };
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Schemas of properties. */
const PROPERTY_KEYWORDS = ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'];

/** Copies schemas for one direction. */
class DirectedSchemas {
  readonly #document: OpenApiDocument;
  readonly #hidden: HiddenProperties;
  /** The copies of referenced schemas, by name. */
  readonly #added: Record<string, Schema>;
  readonly #suffix: string;
  readonly #references = new Map<string, string>();
  /** Whether something in a schema is hidden. */
  readonly #isDifferent: (schema: Schema) => boolean;

  constructor(document: OpenApiDocument, direction: Direction, added: Record<string, Schema>) {
    this.#document = document;
    this.#hidden = new HiddenProperties(document, direction);
    this.#isDifferent = reaching(document, (schema) => this.#hidden.hiddenIn(schema).size > 0);
    this.#added = added;
    this.#suffix = direction === 'readOnly' ? 'request' : 'response';
  }

  /** @param inherited names of properties that another part of the same value's schema hides. */
  directedSchema(schema: unknown, inherited = NO_NAMES): unknown {
    if (!isSchema(schema)) return schema;
    const hidden = new Set([...inherited, ...this.#hidden.hiddenIn(schema)]);
    const copy: Schema = copyFields('schema', schema, (child, _, key) =>
      PROPERTY_KEYWORDS.includes(key)
        ? this.#directedProperty(child)
        : this.directedSchema(child, SAME_VALUE.includes(key) ? hidden : NO_NAMES),
    );
    const { $ref, required } = schema;
    if ($ref !== undefined) copy.$ref = this.#referenceToCopy($ref, hidden);
    if (required !== undefined) copy['required'] = list(required).filter((name) => !hidden.has(String(name)));
    return copy;
  }

  /** A property without the alternatives that hide it. The type of `false` is never. */
  #directedProperty(property: unknown): unknown {
    if (this.#hidden.isHidden(property)) return false;
    const copy = this.directedSchema(property);
    if (!isSchema(property) || !isSchema(copy)) return copy;
    const hides = new Set(this.#hidden.hidingChoices(property));
    for (const key of ['oneOf', 'anyOf']) {
      const alternatives = list(property[key]);
      if (alternatives.length === 0) continue;
      copy[key] = list(copy[key]).filter((_, index) => !hides.has(alternatives[index]));
      if (list(copy[key]).length === 0) return false;
    }
    return copy;
  }

  #hasSchema(name: string): boolean {
    return Object.hasOwn(this.#document.components?.schemas ?? {}, name);
  }

  /** The reference to the copy of a schema, or to the schema itself where both are the same. */
  #referenceToCopy($ref: string, hidden: ReadonlySet<string>): string {
    const target: Schema = targetOf(this.#document, $ref);
    const dropped = this.#hidden.requiredOf(target, hidden);
    if (dropped.length === 0 && !this.#isDifferent(target)) return $ref;
    const key = JSON.stringify([$ref, dropped]);
    const known = this.#references.get(key);
    if (known !== undefined) return known;
    const name = this.#newName(lastKey($ref));
    const reference = `#/components/schemas/${name}`;
    // Takes the name before the copies of schemas inside get theirs.
    this.#references.set(key, reference);
    const component: Schema = (this.#added[name] = {});
    Object.assign(component, this.directedSchema(target, new Set(dropped)));
    return reference;
  }

  #newName(original: string): string {
    const wanted = `${original.replaceAll(/[^\w.-]/g, '_')}.${this.#suffix}`;
    let name = wanted;
    for (let copy = 2; this.#hasSchema(name) || Object.hasOwn(this.#added, name); copy++) name = `${wanted}${copy}`;
    return name;
  }
}
