import type { OpenApiDocument, Schema } from '../../../schema/openapi-document.ts';
import { list } from '../../../schema/openapi-document.ts';
import type { HiddenProperties } from '../../../schema/hidden-properties.ts';
import type { ValidatorFormats } from '../validator-formats.ts';
import type { StandIns } from '../stand-ins.ts';

/**
 * One step from a schema of the contract to the schema that the validator gets. It returns a new
 * schema, or the given one where it has nothing to do, and changes neither.
 * @param schema as the steps before have left it.
 */
export type Step = (schema: Schema, source: Source) => Schema;

/** Where a schema comes from. */
export interface Source {
  /** The schema of the contract, which all steps have in common. */
  readonly node: Schema;
  /** Names of properties that messages of this direction do not have, by all parts of the value. */
  readonly hidden: ReadonlySet<string>;
  readonly rewriter: Rewriter;
}

/** What rewrites the schemas of one direction. */
export interface Rewriter {
  readonly document: OpenApiDocument;
  /** Whether the schemas are for names of properties. */
  readonly isForNames: boolean;
  readonly hiddenProperties: HiddenProperties;
  /** The tables that names of formats, and numbers beyond doubles, are taken from. */
  readonly formats: ValidatorFormats;
  readonly constants: StandIns;
  /** Rewrites schemas for names of properties. */
  readonly forNames: Rewriter;
  /** @param hidden names that other parts of the same value's schema hide. */
  rewrite(node: unknown, hidden?: ReadonlySet<string>): unknown;
  /** A reference to what is written several times, if it contains schemas. */
  shared(rewritten: unknown): unknown;
  /** The reference to the rewritten target of one. */
  referenceTo($ref: string, hidden: ReadonlySet<string>): string;
}

/** A schema that asserts further schemas of the same value, behind those that it has. */
export function withParts(schema: Schema, parts: readonly unknown[]): Schema {
  return parts.length === 0 ? schema : { ...schema, allOf: [...list(schema['allOf']), ...parts] };
}

/** A schema without some keywords. */
export function withoutKeywords(schema: Schema, keywords: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}
