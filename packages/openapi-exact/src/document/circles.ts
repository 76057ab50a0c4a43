import type { Bundle } from './bundle.ts';
import { ComponentNames } from './component-names.ts';
import { getOrInsert } from '../json/get-or-insert.ts';
import {
  isReference,
  list,
  targetOf,
  type OpenApiDocument,
  type Reference,
  type Schema,
} from '../schema/openapi-document.ts';
import { circularGroups } from '../schema/same-value.ts';
import type { Diagnostic } from '../errors/diagnostic.ts';
import type { Sources } from './sources.ts';

/** A reference through which a schema applies itself to its own value. */
interface Closing {
  readonly reference: Schema & Reference;
  readonly target: Schema;
  /** The schemas of the circles that both are in. */
  readonly circle: ReadonlySet<unknown>;
}

/**
 * Opens circles of schemas for one value, in place: to follow one has no end.
 * Authors write them for a base that is oneOf its heirs. The heirs, which refer to it in allOf, get
 * a base without that choice. A schema in its own allOf adds nothing. Other circles are refused.
 */
export function openCircles(document: OpenApiDocument, { nodes }: Bundle, sources: Sources): readonly Diagnostic[] {
  // What nothing serves may refer to nothing.
  const schemas: readonly Schema[] = nodes.get('schema') ?? [];
  const components = new ComponentNames(document.components);
  document.components = components.all;
  const bases = new Map<string, string>();
  for (const { reference, target, circle } of closings(document, schemas)) {
    const { $ref } = reference;
    const choices = ['oneOf', 'anyOf'].filter((key) => list(target[key]).some((choice) => circle.has(choice)));
    if (list(target['allOf']).includes(reference)) Reflect.deleteProperty(reference, '$ref');
    else if (choices.length > 0) {
      reference.$ref = getOrInsert(bases, `${$ref} ${choices.join()}`, () => {
        const base = Object.fromEntries(Object.entries(target).filter(([key]) => !choices.includes(key)));
        sources.addCopy(base, target);
        return components.pointerTo('schemas', base, `${$ref}.base`);
      });
    }
  }
  const reason =
    'the reference leads back to itself for the same value: name a schema that does not refer to this one.';
  return closings(document, schemas).map(({ reference }) => ({ node: reference, key: '$ref', reason }));
}

function closings(document: OpenApiDocument, schemas: readonly Schema[]): Closing[] {
  const circles = new Map<Schema, ReadonlySet<Schema>>();
  for (const group of circularGroups(document, schemas)) {
    const circle = new Set(group);
    for (const schema of group) circles.set(schema, circle);
  }
  return schemas.flatMap((reference) => {
    if (!isReference(reference)) return [];
    const target: Schema = targetOf(document, reference.$ref);
    const circle = circles.get(target);
    return circle?.has(reference) === true ? [{ reference, target, circle }] : [];
  });
}
