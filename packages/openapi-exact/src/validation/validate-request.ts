import type { ValidRequest } from '../bodies/received-body.ts';
import { InvalidRequestError, MOST_FAULTS } from '../errors/errors.ts';
import { ValueCount } from '../json/value-count.ts';
import { areDecidedAtReading } from '../parameters/decided-parameters.ts';
import type { ParameterGroup } from '../parameters/locations.ts';
import type { ParameterValues, ReadParameters } from '../parameters/parameters.ts';
import { MismatchError } from '../errors/invalid-response-error.ts';
import { completeValue, type Completion } from './complete-values.ts';
import { allFaults } from './all-faults.ts';
import type { OperationSchemas } from './operation-schemas.ts';
import { requestError, secretsOf } from './request-error.ts';
import { bodyName, groupsIn, requestSchemas } from '../bodies/message-parts.ts';

/** Checks the requests of one operation against its schemas. */
export class RequestValidator {
  readonly #schemas: OperationSchemas;
  #secretNames: ReadonlySet<string> | undefined;
  /** The groups of parameters that the contract declares. */
  readonly #groups: readonly ParameterGroup[];
  /** Whether a request without a body has nothing that is left to check. */
  readonly #areDecided: boolean;
  /** How each part of a request is completed. */
  readonly #completions: ReadonlyMap<string, Completion>;

  constructor(schemas: OperationSchemas) {
    this.#schemas = schemas;
    const { operation, validation } = schemas;
    const parts = requestSchemas(validation.contract.document, operation);
    this.#groups = groupsIn(parts);
    // The author's rules are asked where the library's would be.
    this.#areDecided =
      operation.querystring === undefined &&
      validation.validator.customFormats.rules.size === 0 &&
      areDecidedAtReading(validation.contract.document, operation.parameters);
    this.#completions = new Map(Object.entries(parts).map(([name, schema]) => [name, validation.completionOf(schema)]));
  }

  /**
   * Validates the parameters and the body of a request, and completes them in place.
   * @param mediaType the declared one of the body; undefined without a body.
   * @param body its value; undefined if it is not checked.
   * @param count of its values, to which defaults are added. @throws its error; RequestError.
   */
  validateRequest(
    values: ReadParameters,
    mediaType?: string,
    body?: unknown,
    count: ValueCount = new ValueCount(),
  ): ValidRequest {
    return this.#validateParts(this.#groups, values, values.isPlain, {
      mediaType,
      body,
      count,
      placeInBody: samePlace,
    });
  }

  /**
   * Validates a part of a multipart body, or an item of a stream, without the parameters.
   * @param valid the parameters, which are returned unchanged.
   * @param placeInBody the JSON pointer into the body for one into the value.
   * @throws RequestError invalidBody.
   */
  validatePart(
    valid: ParameterValues,
    mediaType: string | undefined,
    body: unknown,
    count: ValueCount = new ValueCount(),
    placeInBody = samePlace,
  ): ValidRequest {
    return this.#validateParts([], valid, true, { mediaType, body, count, placeInBody });
  }

  #validateParts(
    groups: readonly ParameterGroup[],
    values: ParameterValues,
    arePlain: boolean,
    { mediaType, body, count, placeInBody }: GivenBody,
  ): ValidRequest {
    const { params, query, headers, cookies } = values;
    const name = mediaType === undefined || body === undefined ? undefined : bodyName(mediaType);
    const valid = { params, query, headers, cookies, body, contentType: mediaType };
    if (groups.length === 0 && name === undefined) return valid;
    const parts: Record<string, unknown> = {};
    const given = groups.filter((group) => isGiven(values[group]));
    for (const group of given) parts[group] = values[group];
    if (name !== undefined) parts[name] = body;
    if (name === undefined && given.length === 0) return valid;
    const message = { parts, isPlain: arePlain && count.isPlain };
    try {
      if (name !== undefined || !this.#areDecided) this.#schemas.check('request', message);
      const faults: MismatchError[] = [];
      for (const group of given) {
        // A whole query may be any value, which its type says; other groups are completed in place.
        const completed = this.#complete(group, values[group], parameterCount(arePlain), faults);
        valid[group] = completed as ParameterValues[typeof group];
      }
      if (name !== undefined) valid.body = this.#complete(name, body, count, faults);
      if (faults.length > 0) throw this.#undecoded(faults, parts, placeInBody);
      return valid;
    } catch (error) {
      if (!(error instanceof MismatchError)) throw error;
      throw new InvalidRequestError(requestError(error, parts, this.#secrets, placeInBody), async () => {
        const faults = await allFaults(this.#schemas, message, error);
        return faults.map((fault) => requestError(fault, parts, this.#secrets, placeInBody));
      });
    }
  }

  /** The refusal of texts that are valid, and that the author's functions cannot decode. */
  #undecoded(
    faults: readonly MismatchError[],
    parts: Readonly<Record<string, unknown>>,
    placeInBody: GivenBody['placeInBody'],
  ): InvalidRequestError {
    const [first, ...others] = faults
      .slice(0, MOST_FAULTS)
      .map((fault) => requestError(fault, parts, this.#secrets, placeInBody));
    if (first === undefined) throw new Error('There is no fault.');
    return new InvalidRequestError(first, () => Promise.resolve([first, ...others]));
  }

  get #secrets(): ReadonlySet<string> {
    const { operation, validation } = this.#schemas;
    const { document } = validation.contract;
    this.#secretNames ??= secretsOf(document, Object.values(requestSchemas(document, operation)));
    return this.#secretNames;
  }

  /** The value of a part of a request with exact numbers, values of formats, and defaults. */
  #complete(name: string, value: unknown, count: ValueCount, faults: MismatchError[]): unknown {
    const completion = this.#completions.get(name);
    return completion === undefined ? value : completeValue(value, completion, name, count, faults);
  }
}

/** The body of a request, a part or an item of it. */
interface GivenBody {
  /** Its name among the schemas of the request body. */
  readonly mediaType: string | undefined;
  readonly body: unknown;
  readonly count: ValueCount;
  /** The JSON pointer into the body for one into this value. */
  readonly placeInBody: (pointer: string) => string;
}

function samePlace(pointer: string): string {
  return pointer;
}

/** False for a query that is one value, where there is none. */
function isGiven(value: unknown): boolean {
  return value !== undefined;
}

function parameterCount(isPlain: boolean): ValueCount {
  const count = new ValueCount();
  count.isPlain = isPlain;
  return count;
}
