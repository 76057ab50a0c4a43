import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { setImmediate } from 'node:timers/promises';
import type { Contract, Operation } from '../../document/read-contract.ts';
import type { Fault } from '../../errors/limits.ts';
import { getOrInsert } from '../../json/get-or-insert.ts';
import type { OpenApiDocument, Schema } from '../../schema/openapi-document.ts';
import { reaching } from '../../schema/schema-graph.ts';
import type { CustomFormats } from '../../schema/custom-formats.ts';
import { BASE } from './components.ts';
import { faultOf, faultsByPlace, type ValidatorFault } from './faults.ts';
import { requestSchemas, type Message } from '../../bodies/message-parts.ts';
import type { MessageTraits } from './exact-message.ts';
import { copying, requestMessage, type Copying } from './validation-document.ts';

/** The compiled schema of the requests of one operation. */
interface Compiled extends MessageTraits {
  readonly validate: ValidateFunction;
}

/**
 * Finds all faults of requests with Ajv; express-openapi-validator stops at the first. Schemas that
 * operations share are compiled once, in steps between which other requests are answered. Patterns
 * are not asserted: this search does not stop at the `maxLength` that bounds their time.
 */
export class FaultSearch {
  readonly #document: OpenApiDocument;
  readonly #copying: Copying;
  readonly #asksForDistinctItems: (schema: Schema) => boolean;
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<Operation, Promise<Compiled>>();
  /** How many of the schemas that others refer to Ajv has. */
  #added = 0;

  /** @param operations with a schema for each part of multipart bodies. */
  constructor({ document }: Contract, operations: readonly Operation[], customFormats: CustomFormats) {
    this.#document = document;
    const roots = operations.flatMap((operation) => Object.values(requestSchemas(document, operation)));
    this.#copying = copying(document, roots, { customFormats, hasPatterns: false });
    this.#asksForDistinctItems = reaching(document, ({ uniqueItems }) => uniqueItems === true);
    this.#ajv = new Ajv2020({
      strict: false,
      strictTuples: true,
      validateSchema: false,
      logger: false,
      allErrors: true,
    });
  }

  /** The faults of a request, one for each place. */
  async faultsIn(operation: Operation, message: Message): Promise<Iterable<Fault>> {
    const compiled = await getOrInsert(this.#compiled, operation, () => this.#compile(operation));
    const { check } = this.#copying;
    const faults = check.judgeCopy(message.parts, compiled, (copy) => validatorFaults(compiled.validate, copy));
    return this.#described(faultsByPlace(faults), message);
  }

  /** Lazy: a small message may have many faults, and few are reported. */
  *#described(faults: readonly (readonly ValidatorFault[])[], { parts }: Message): Generator<Fault, void> {
    for (const ofPlace of faults) yield faultOf(this.#copying.formats, ofPlace, 'request', parts);
  }

  async #compile(operation: Operation): Promise<Compiled> {
    const { components, formats, ambiguous } = this.#copying;
    const schema = requestMessage(this.#copying, operation, this.#compiled.size);
    components.complete();
    for (const component of components.schemas.slice(this.#added)) this.#ajv.addSchema(component);
    this.#added = components.schemas.length;
    for (const [name, format] of Object.entries(formats.all)) this.#ajv.addFormat(name, format);
    for (const component of innermostFirst(schema, components.schemas)) {
      this.#ajv.compile(component);
      await setImmediate();
    }
    const schemas = Object.values(requestSchemas(this.#document, operation));
    return {
      validate: this.#ajv.compile(schema),
      isAskedForDistinctItems: schemas.some(this.#asksForDistinctItems),
      isAmbiguous: schemas.some((part) => ambiguous.isAmbiguous(part)),
    };
  }
}

/** The components that a schema leads to, each after those that it refers to itself. */
function innermostFirst(start: Schema, components: readonly Schema[]): readonly Schema[] {
  const byReference = new Map(components.map((component) => [component['$id'], component]));
  const entered = new Set([start]);
  const left: Schema[] = [];
  const path = [{ schema: start, references: referencesIn(start) }];
  for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
    const $ref = visit.references.pop();
    const component = $ref === undefined ? undefined : byReference.get(BASE + $ref);
    if ($ref === undefined) {
      left.push(visit.schema);
      path.pop();
    } else if (component !== undefined && !entered.has(component)) {
      entered.add(component);
      path.push({ schema: component, references: referencesIn(component) });
    }
  }
  return left.slice(0, -1);
}

/** The references in the copy of a schema. */
function referencesIn(copy: unknown): string[] {
  const found: string[] = [];
  const pending: unknown[] = [copy];
  // A list takes new members while it is iterated.
  for (const node of pending) {
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref' && typeof value === 'string') found.push(value);
      else pending.push(value);
    }
  }
  return found;
}

/** The faults that Ajv finds, as express-openapi-validator describes them. */
function validatorFaults(validate: ValidateFunction, message: unknown): readonly ValidatorFault[] {
  return validate(message) ? [] : (validate.errors ?? []).map(validatorFault);
}

function validatorFault({ keyword, instancePath, params, message = '' }: ErrorObject): ValidatorFault {
  const { missingProperty, additionalProperty, unevaluatedProperty, allowedValues } = params;
  const property: unknown = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  const place = typeof property === 'string' ? `${instancePath}/${property}` : instancePath;
  const values = Array.isArray(allowedValues) ? `: ${allowedValues.join(', ')}` : '';
  return { path: `/response${place}`, message: message + values, errorCode: `${keyword}.openapi.validation` };
}
