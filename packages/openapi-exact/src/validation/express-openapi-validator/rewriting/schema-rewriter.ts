import { HiddenProperties, type Direction } from '../../../schema/hidden-properties.ts';
import { isSchema, targetOf, type OpenApiDocument, type Schema } from '../../../schema/openapi-document.ts';
import { getOrInsert } from '../../../json/get-or-insert.ts';
import { ALL_KEYWORDS } from '../../../schema/schema-graph.ts';
import type { Components } from '../components.ts';
import type { ValidatorFormats } from '../validator-formats.ts';
import type { StandIns } from '../stand-ins.ts';
import type { Rewriter, Step } from './step.ts';
import { STEPS } from './steps.ts';

const NO_HIDDEN_NAMES: ReadonlySet<string> = new Set();

/**
 * Rewrites schemas of the contract for the validator, in one direction, by the {@link STEPS}. A
 * schema that others refer to becomes a component.
 */
export class SchemaRewriter implements Rewriter {
  readonly document: OpenApiDocument;
  readonly isForNames: boolean;
  readonly hiddenProperties: HiddenProperties;
  readonly formats: ValidatorFormats;
  readonly constants: StandIns;
  readonly #components: Components;
  readonly #direction: Direction | undefined;
  readonly #steps: readonly Step[];
  #forNames: SchemaRewriter | undefined;
  /** The schemas with parts that were rewritten, by the names that are hidden in them. */
  readonly #rewritten = new Map<Schema, Map<string, Schema | undefined>>();

  constructor(components: Components, direction: Direction | undefined, steps = STEPS, isForNames = false) {
    this.document = components.document;
    this.formats = components.formats;
    this.constants = components.constants;
    this.hiddenProperties = new HiddenProperties(components.document, direction);
    this.isForNames = isForNames;
    this.#components = components;
    this.#direction = direction;
    this.#steps = steps;
  }

  /** Names have no direction. */
  get forNames(): Rewriter {
    this.#forNames ??= new SchemaRewriter(this.#components, undefined, this.#steps, true);
    return this.#forNames;
  }

  /**
   * The schema that the validator gets. One with parts is written once, and referred to after that:
   * each place that needs it twice would otherwise double what is nested in it.
   */
  rewrite(node: unknown, inherited = NO_HIDDEN_NAMES): unknown {
    if (!isSchema(node)) return node;
    const hidden = new Set([...inherited, ...this.hiddenProperties.hiddenIn(node)]);
    if (!containsSchemas(node)) return this.#takeSteps(node, hidden);
    const known = getOrInsert(this.#rewritten, node, () => new Map<string, Schema | undefined>());
    const key = JSON.stringify([...hidden].sort());
    if (!known.has(key)) {
      known.set(key, undefined);
      return this.#takeSteps(node, hidden);
    }
    const reference = known.get(key) ?? this.#components.sharedReference(() => this.#takeSteps(node, hidden));
    known.set(key, reference);
    return { ...reference };
  }

  #takeSteps(node: Schema, hidden: ReadonlySet<string>): Schema {
    const source = { node, hidden, rewriter: this };
    return this.#steps.reduce((schema, step) => step(schema, source), node);
  }

  shared(rewritten: unknown): unknown {
    return isSchema(rewritten) && containsSchemas(rewritten)
      ? this.#components.sharedReference(() => rewritten)
      : rewritten;
  }

  /** Where another part hides properties that the target requires, it has one of its own. */
  referenceTo($ref: string, hidden: ReadonlySet<string>): string {
    const target: Schema = targetOf(this.document, $ref);
    const dropped = this.hiddenProperties.requiredOf(target, hidden);
    const kind = { direction: this.#direction, isForNames: this.isForNames, dropped };
    return this.#components.referenceTo($ref, kind, () => this.rewrite(target, new Set(dropped)));
  }
}

function containsSchemas(schema: Schema): boolean {
  return ALL_KEYWORDS.some((keyword) => keyword in schema);
}
