import type { ValidRequest } from '../bodies/received-body.ts';
import type { Schema } from '../schema/openapi-document.ts';
import { reachableSchemas } from '../schema/schema-graph.ts';
import { InvalidRequestError } from '../errors/errors.ts';
import { ValueCount } from '../json/value-count.ts';
import { GROUPS, isParameterGroup, type ParameterGroup } from '../parameters/locations.ts';
import type { ParameterValues } from '../parameters/parameters.ts';
import { MismatchError } from '../errors/response-error.ts';
import { exactValue } from '../validation/exact-values.ts';
import { Explainer } from '../validation/explainer.ts';
import type { OperationSchemas } from '../validation/operation-schemas.ts';
import { requestError, secretsOf } from '../validation/request-error.ts';
import type { ExactPart } from '../validation/validation.ts';
import { bodyName, groupsIn, requestSchemas, validatedParts } from '../validation/validation-document.ts';

/** Checks the requests of one operation against its schemas. */
export class RequestValidator {
  readonly #schemas: OperationSchemas;
  #knownExplainer: Explainer | undefined;
  #secretNames: ReadonlySet<string> | undefined;
  /** The groups of parameters that are validated. */
  readonly #groups: readonly ParameterGroup[];
  /** The parts of a request that are not exact as they are read. */
  readonly #inexact: ReadonlyMap<string, ExactPart>;

  constructor(schemas: OperationSchemas) {
    this.#schemas = schemas;
    const { operation, validation } = schemas;
    const { document } = validation.contract;
    // Parameters with `content` are JSON, which is read with its numbers as texts.
    const asJson = operation.parameters.filter(({ content }) => content !== undefined).map((parameter) => parameter.in);
    const isExact = (name: string, schema: Schema): boolean =>
      isParameterGroup(name) &&
      !asJson.includes(GROUPS[name]) &&
      [...reachableSchemas(document, [schema])].slice(1).every(isPlainScalar);
    const parts = validatedParts(document, operation);
    const inexact = Object.entries(parts).filter(([name, schema]) => !isExact(name, schema));
    this.#groups = groupsIn(parts);
    this.#inexact = new Map(inexact.map(([name, schema]) => [name, validation.exactPart(schema)]));
  }

  /**
   * Validates the parameters and the body of a request.
   * @param mediaType the declared one of the body; undefined without a body.
   * @param body its value, with numbers as `LosslessNumber`s; undefined if it is not checked.
   * @param count of its values, to which those are added that defaults add.
   * @returns the same, exact and with defaults.
   * @throws RequestError invalidParameter, invalidBody; the error of `count`.
   */
  validateRequest(values: ParameterValues, mediaType?: string, body?: unknown, count?: ValueCount): ValidRequest {
    return this.#validateGroups(this.#groups, values, mediaType, body, count);
  }

  /**
   * Validates a part of a multipart body alone: a request may have many, and its parameters once.
   * @returns the body exact, the parameters as they are. @throws RequestError invalidBody.
   */
  validatePart(values: ParameterValues, mediaType: string, body: unknown, count: ValueCount): ValidRequest {
    return this.#validateGroups([], values, mediaType, body, count);
  }

  #validateGroups(
    groups: readonly ParameterGroup[],
    values: ParameterValues,
    mediaType: string | undefined,
    body: unknown,
    count?: ValueCount,
  ): ValidRequest {
    const { params, query, headers, cookies } = values;
    const name = mediaType === undefined || body === undefined ? undefined : bodyName(mediaType);
    const valid = { params, query, headers, cookies, body, contentType: mediaType };
    if (groups.length === 0 && name === undefined) return valid;
    const message: Record<string, unknown> = {};
    for (const group of groups) message[group] = values[group];
    if (name !== undefined) message[name] = body;
    try {
      this.#schemas.check('request', message);
      // Exact values have the shape of what they are made from.
      for (const group of groups) valid[group] = this.#exact(group, values[group]) as typeof params;
      if (name !== undefined) valid.body = this.#exact(name, body, count);
      return valid;
    } catch (error) {
      if (!(error instanceof MismatchError)) throw error;
      throw new InvalidRequestError(requestError(error, message, this.#secrets), async () => {
        const faults = await this.#explainer.faults(message, error);
        return faults.map((fault) => requestError(fault, message, this.#secrets));
      });
    }
  }

  get #secrets(): ReadonlySet<string> {
    const { operation, validation } = this.#schemas;
    const { document } = validation.contract;
    this.#secretNames ??= secretsOf(document, Object.values(requestSchemas(document, operation)));
    return this.#secretNames;
  }

  get #explainer(): Explainer {
    const { operation, validation } = this.#schemas;
    this.#knownExplainer ??= new Explainer(validation.contract, operation);
    return this.#knownExplainer;
  }

  /** The value of a part of a request with exact numbers and defaults. */
  #exact(name: string, value: unknown, count = new ValueCount()): unknown {
    const part = this.#inexact.get(name);
    return part === undefined ? value : exactValue(value, part.place, part.defaults, name, count);
  }
}

/** True also for a reference, whose target is judged by itself. */
function isPlainScalar({ type = '', ...keywords }: Schema): boolean {
  if (Object.keys(keywords).join() === '$ref') return true;
  const isScalar = typeof type === 'string' && ['boolean', 'integer', 'number', 'string'].includes(type);
  return isScalar && !['$ref', 'default', 'oneOf', 'anyOf', 'if'].some((key) => key in keywords);
}
