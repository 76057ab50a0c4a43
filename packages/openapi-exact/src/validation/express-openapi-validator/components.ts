import type { Direction } from '../../schema/hidden-properties.ts';
import { targetOf, type OpenApiDocument, type Schema } from '../../schema/openapi-document.ts';
import { reachableSchemas, reaching, SAME_VALUE } from '../../schema/schema-graph.ts';
import { getOrInsert } from '../../json/get-or-insert.ts';
import type { AmbiguousSchemas } from './ambiguous-schemas.ts';
import type { StandIns } from './stand-ins.ts';
import type { ValidatorFormats } from './validator-formats.ts';
import type { ConditionalSchema, RememberedVerdicts } from './remembered-verdicts.ts';

/** Keywords that ask which parts of a value were evaluated. */
const UNEVALUATED = ['unevaluatedProperties', 'unevaluatedItems'];

/**
 * The URI of the validator's document. Schemas have the identifiers that references to them resolve
 * to: the validator finds those in what it has compiled, and compiles others again each time. Its
 * parser follows pointers, one reference within the other.
 */
export const BASE = 'contract:';

/** The kind of a copy of a schema. */
interface CopyKind {
  readonly direction: Direction | undefined;
  /** Whether it is for names of properties. */
  readonly isForNames: boolean;
  /** Properties that it does not require. */
  readonly dropped: readonly string[];
}

/** The copies of the schemas that others refer to. Those without hidden properties are shared. */
export class Components {
  readonly document: OpenApiDocument;
  readonly constants: StandIns;
  readonly formats: ValidatorFormats;
  readonly #verdicts: RememberedVerdicts;
  /** The copies, by their numbers in the validator's document. */
  readonly schemas: Schema[] = [];
  readonly #hides: (schema: Schema) => boolean;
  readonly #refers: (schema: Schema) => boolean;
  /** Those that `unevaluated…` depends on: no remembered verdict tells what they evaluated. */
  readonly #asked: ReadonlySet<Schema>;
  readonly #ambiguous: AmbiguousSchemas;
  readonly #anchors = new Map<string, string>();
  readonly #pending: (() => void)[] = [];

  /**
   * @param roots the schemas of messages, which lead to all others.
   * @param ambiguous tells those by which one value may be evaluated many times.
   */
  constructor(
    document: OpenApiDocument,
    roots: readonly Schema[],
    ambiguous: AmbiguousSchemas,
    constants: StandIns,
    formats: ValidatorFormats,
    verdicts: RememberedVerdicts,
  ) {
    this.document = document;
    this.constants = constants;
    this.formats = formats;
    this.#verdicts = verdicts;
    this.#hides = reaching(document, ({ readOnly, writeOnly }) => readOnly === true || writeOnly === true);
    this.#refers = reaching(document, ({ $ref }) => $ref !== undefined);
    const asking = [...reachableSchemas(document, roots)].filter((reachable) =>
      UNEVALUATED.some((key) => key in reachable),
    );
    this.#asked = reachableSchemas(document, asking, SAME_VALUE);
    this.#ambiguous = ambiguous;
  }

  /** The copy of a schema as a component; an ambiguous one evaluates each object once if it can. */
  #component($ref: string, copy: unknown): Schema {
    const schema: Schema = targetOf(this.document, $ref);
    // What refers to no further schemas is evaluated as often as it is referred to, at most.
    if (!this.#ambiguous.isAmbiguous(schema) || !this.#refers(schema)) return component(copy);
    return lazy(this.#asked.has(schema) ? this.#verdicts.counted(copy) : this.#verdicts.remembered(copy));
  }

  /** The reference to the copy of a schema. @param make makes the copy. */
  referenceTo($ref: string, { direction, isForNames, dropped }: CopyKind, make: () => unknown): string {
    const isDirected = this.#hides(targetOf(this.document, $ref));
    const key = JSON.stringify([$ref, isForNames, dropped, isDirected && direction]);
    return getOrInsert(this.#anchors, key, () => {
      const anchor = `#schema${this.schemas.length}`;
      const target: Schema = { $id: BASE + anchor };
      // Later: schemas refer to each other in chains that are longer than the stack is deep.
      this.#pending.push(() => Object.assign(target, this.#component($ref, make())));
      this.schemas.push(target);
      return anchor;
    });
  }

  /**
   * The reference to a copy that is needed several times, and is made later.
   * @param make makes the copy, in the same direction.
   */
  sharedReference(make: () => unknown): Schema {
    const anchor = `#schema${this.schemas.length}`;
    const target: Schema = { $id: BASE + anchor };
    this.#pending.push(() => Object.assign(target, component(make())));
    this.schemas.push(target);
    return { $ref: anchor };
  }

  /** Makes the copies that are referred to so far, and those that they refer to. */
  complete(): void {
    for (let make = this.#pending.pop(); make !== undefined; make = this.#pending.pop()) make();
  }
}

/** A schema that the validator compiles once, when it is used. */
function component(schema: unknown): Schema {
  return lazy({ if: true, then: schema, else: false });
}

/**
 * `then` hides a schema from the search for what is converted already, which compiles what it
 * finds; with `$recursiveAnchor` it is not repeated inside of those that refer to it.
 */
function lazy(conditional: ConditionalSchema): Schema {
  return { $recursiveAnchor: false, ...conditional };
}
