import { BODY_LIMITS, type BodyLimits } from './bodies/limits.ts';
import { RequestBodyReader } from './bodies/request-body.ts';
import { readContract, type Contract, type Operation } from './document/load.ts';
import { Refused, refusalsOf, type Refusal } from './document/refusal.ts';
import { getOrInsert } from './get-or-insert.ts';
import { Parameters } from './parameters/parameters.ts';
import { refusedParameters } from './parameters/refused-parameters.ts';
import { Representations } from './negotiate.ts';
import { refusedSchemes } from './security/schemes.ts';
import { createValidators, type OperationValidator } from './validate.ts';

/** What reads and checks the messages of one operation. */
export interface PreparedOperation {
  readonly operation: Operation;
  readonly parameters: Parameters;
  readonly requestBody: RequestBodyReader;
  readonly validator: OperationValidator;
  readonly representations: Representations;
}

/**
 * Up to this number, operations are compiled when they are prepared, which reveals unusable
 * schemas; beyond it, at their first request.
 */
const COMPILED_AT_START = 50;

/** By contract: one that is served twice is prepared once. */
const PREPARED = new WeakMap<Contract, Map<string, Promise<readonly PreparedOperation[]>>>();

/** Prepares all operations, as {@link prepareNew} does, once for the same options. */
export function prepareOperations(
  contract: Contract,
  limits: Partial<BodyLimits> = {},
  sendsContinue = false,
): Promise<readonly PreparedOperation[]> {
  const known = getOrInsert(PREPARED, contract, () => new Map<string, Promise<readonly PreparedOperation[]>>());
  return getOrInsert(known, JSON.stringify([limits, sendsContinue]), () => prepareNew(contract, limits, sendsContinue));
}

/**
 * Prepares all operations.
 * @param limits of request bodies, where they are not those in bodies/limits.ts.
 * @param sendsContinue whether reading a body sends 100 Continue.
 * @throws ContractError with a line for each place that cannot be served.
 */
async function prepareNew(
  contract: Contract,
  limits: Partial<BodyLimits>,
  sendsContinue: boolean,
): Promise<readonly PreparedOperation[]> {
  try {
    const { prepared, refusals } = prepare(contract, { ...BODY_LIMITS, ...limits }, sendsContinue);
    if (prepared.length <= COMPILED_AT_START) refusals.push(...(await refused(prepared, (one) => one.compile())));
    if (refusals.length > 0) throw new Refused(refusals);
    return prepared;
  } catch (error) {
    throw await contract.sources.error(refusalsOf(error), { cause: error });
  }
}

/**
 * Reads a contract and checks everything that the service requires of it, except handlers and
 * verifiers.
 * @throws ContractError with a line for each place that cannot be served; ConfigurationError when the
 * contract cannot be read.
 */
export async function checkContract(file: URL): Promise<Contract> {
  const { sources, contract, refusals, isCompilable } = await readContract(file);
  const all = [...refusals, ...(contract === undefined ? [] : await servingRefusals(contract, isCompilable))];
  if (contract === undefined || all.length > 0) throw await sources.error(all);
  return contract;
}

/**
 * The places of a readable contract that cannot be served.
 * @param isCompilable whether its schemas have no mistake yet.
 */
export async function servingRefusals(contract: Contract, isCompilable: boolean): Promise<readonly Refusal[]> {
  const { prepared, refusals } = prepare(contract, BODY_LIMITS, false, contract.operations.length);
  const [first] = prepared;
  // Compiling everything as one is fast, but does not tell which operation fails.
  if (!isCompilable || first === undefined || (await first.validator.isGroupSound())) return refusals;
  return [...refusals, ...(await refused(prepare(contract).prepared, (validator) => validator.check()))];
}

/** The operations, and every place that cannot be served. */
function prepare(
  contract: Contract,
  limits = BODY_LIMITS,
  sendsContinue = false,
  groupSize?: number,
): { readonly prepared: readonly PreparedOperation[]; readonly refusals: Refusal[] } {
  const refusals: Refusal[] = [];
  const readers = contract.operations.map((operation) => {
    refusals.push(...refusedParameters(contract.document, operation), ...refusedSchemes(contract, operation));
    return {
      operation,
      parameters: new Parameters(contract, operation),
      requestBody: new RequestBodyReader(contract, operation, limits, sendsContinue),
      representations: new Representations(operation),
    };
  });
  const described = readers.map(({ operation, requestBody }) => ({ ...operation, requestBody: requestBody.schemas }));
  const validators = createValidators(contract, described, refusals, groupSize);
  const prepared = readers.map((reader, index) => {
    const validator = validators[index];
    if (validator === undefined) throw new RangeError(`The operation ${reader.operation.id} has no validator.`);
    return { ...reader, validator };
  });
  return { prepared, refusals };
}

/** The operations whose schemas cannot be compiled. */
async function refused(
  prepared: readonly PreparedOperation[],
  check: (validator: OperationValidator) => Promise<unknown>,
): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = [];
  for (const { validator } of prepared) {
    await check(validator).catch((error: unknown) => refusals.push(...refusalsOf(error)));
  }
  return refusals;
}
