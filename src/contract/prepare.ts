import { RequestBodyReader } from './bodies/request-body.ts';
import { readContract, type Contract, type Operation } from './document/load.ts';
import { Refused, refusalsOf, together, type Refusal } from './document/refusal.ts';
import { Parameters } from './parameters/parameters.ts';
import { OperationValidator } from './validate.ts';

/** What reads and checks the messages of one operation. */
export interface PreparedOperation {
  readonly operation: Operation;
  readonly parameters: Parameters;
  readonly requestBody: RequestBodyReader;
  readonly validator: OperationValidator;
}

/**
 * Prepares all operations.
 * @param compiled whether to compile their schemas now, which reveals unusable ones.
 * @throws ContractError with a line for each place that cannot be served.
 */
export async function prepareOperations(contract: Contract, compiled: boolean): Promise<readonly PreparedOperation[]> {
  try {
    return await prepare(contract, compiled);
  } catch (error) {
    throw await contract.sources.error(refusalsOf(error), { cause: error });
  }
}

/**
 * Checks everything that the service requires of a contract, except handlers and verifiers.
 * @throws ContractError with a line for each place that cannot be served; OperatorError when the
 * contract cannot be read.
 */
export async function checkContract(file: URL): Promise<void> {
  const { sources, contract, refusals } = await readContract(file);
  const all = [...refusals, ...(contract === undefined ? [] : await servingRefusals(contract, refusals.length === 0))];
  if (all.length > 0) throw await sources.error(all);
}

async function servingRefusals(contract: Contract, compiled: boolean): Promise<readonly Refusal[]> {
  try {
    await prepare(contract, compiled);
    return [];
  } catch (error) {
    return refusalsOf(error);
  }
}

/** @throws Refused with every place that cannot be served. */
async function prepare(contract: Contract, compiled: boolean): Promise<readonly PreparedOperation[]> {
  const prepared = together<PreparedOperation[]>(
    ...contract.operations.map((operation) => (): PreparedOperation => prepareOperation(contract, operation)),
  );
  if (!compiled) return prepared;
  const refusals: Refusal[] = [];
  for (const { validator } of prepared) {
    await validator.compile().catch((error: unknown) => refusals.push(...refusalsOf(error)));
  }
  if (refusals.length > 0) throw new Refused(refusals);
  return prepared;
}

function prepareOperation(contract: Contract, operation: Operation): PreparedOperation {
  const [parameters, requestBody, validator] = together<[Parameters, RequestBodyReader, OperationValidator]>(
    () => new Parameters(contract, operation),
    () => new RequestBodyReader(operation),
    () => new OperationValidator(contract, operation),
  );
  return { operation, parameters, requestBody, validator };
}
