import { BODY_LIMITS, type BodyLimits } from '../bodies/limits.ts';
import { refusedEncodings } from '../bodies/refused-encodings.ts';
import { querystringReader } from '../bodies/querystring.ts';
import { RequestBodyReader } from '../bodies/request-body.ts';
import type { Contract, Operation } from '../document/read-contract.ts';
import { Refused, diagnosticsOf, type Diagnostic } from '../errors/diagnostic.ts';
import { isObject, own } from '../schema/openapi-document.ts';
import type { AnyFormats } from '../schema/codec.ts';
import { reachableSchemas } from '../schema/schema-graph.ts';
import { getOrInsert } from '../json/get-or-insert.ts';
import { impossibleFailures } from './impossible-failures.ts';
import type { CompleteOptions } from './options.ts';
import { Parameters } from '../parameters/parameters.ts';
import { refusedParameters } from '../parameters/refused-parameters.ts';
import { DeclaredProperties } from '../response/declared-properties.ts';
import { Representations } from '../response/negotiate.ts';
import { refusedSchemes } from '../security/schemes.ts';
import { ErrorForms, FailureOperations } from './error-forms.ts';
import { RequestValidator } from '../validation/validate-request.ts';
import { ResponseValidator } from '../response/validate-response.ts';
import { ContractValidator } from '../validation/express-openapi-validator/contract-validator.ts';
import { endlessDefault, undecodableDefaults } from '../validation/defaults.ts';
import { NO_FORMATS, customFormats } from '../schema/custom-formats.ts';
import { inPauses } from '../validation/in-pauses.ts';
import { OperationSchemas } from '../validation/operation-schemas.ts';
import { UncompilableOperations } from '../validation/uncompilable-operations.ts';
import { refusedSchemas } from '../validation/express-openapi-validator/refused-schemas.ts';
import { Validation } from '../validation/validation.ts';
import { requestSchemas, responseSchemas } from '../bodies/message-parts.ts';

/** The readers and validators of one operation's messages. */
export interface PreparedOperation {
  readonly operation: Operation;
  readonly parameters: Parameters;
  readonly requestBody: RequestBodyReader;
  readonly schemas: OperationSchemas;
  readonly requestValidator: RequestValidator;
  readonly responseValidator: ResponseValidator;
  readonly representations: Representations;
}

/** The prepared operations and error bodies of a contract. */
export interface PreparedContract {
  readonly prepared: readonly PreparedOperation[];
  readonly forms: ErrorForms;
}

/**
 * Up to this number, operations are compiled when they are prepared, which reveals unusable
 * schemas; beyond it, at their first request, or before it in the pauses of the event loop.
 */
export const COMPILED_AT_START = 50;

/** The options that decide how messages are read and written. */
type MessageOptions = Pick<
  CompleteOptions,
  'bodyLimits' | 'sendsContinue' | 'undeclaredQuery' | 'undeclaredProperties' | 'formats'
>;

const DEFAULTS: MessageOptions = {
  bodyLimits: BODY_LIMITS,
  sendsContinue: false,
  undeclaredQuery: 'refuse',
  undeclaredProperties: 'send',
  formats: {},
};

/** Contracts prepared with the same formats, by the other options. */
type PreparedByOptions = Map<string, Promise<PreparedContract>>;

/** By contract and formats: a contract that is served twice is prepared once. */
const PREPARED = new WeakMap<Contract, WeakMap<AnyFormats, PreparedByOptions>>();

/** Prepares all operations, as {@link prepareNew} does, once for the same options. */
export function prepareOperations(options: CompleteOptions): Promise<PreparedContract> {
  const { contract, bodyLimits, sendsContinue, undeclaredQuery, undeclaredProperties, formats } = options;
  const byFormats = getOrInsert(PREPARED, contract, () => new WeakMap<AnyFormats, PreparedByOptions>());
  const known = getOrInsert(
    byFormats,
    Object.keys(formats).length === 0 ? DEFAULTS.formats : formats,
    (): PreparedByOptions => new Map(),
  );
  // All limits, in one order: JSON has no Infinity.
  const limits = Object.keys(BODY_LIMITS).map((name) => bodyLimits[name as keyof BodyLimits]);
  const key = [...limits, sendsContinue, undeclaredQuery, undeclaredProperties].join();
  return getOrInsert(known, key, () => prepareNew(contract, options));
}

/**
 * Prepares all operations.
 * @throws ContractError with a line for each place that cannot be served.
 */
async function prepareNew(contract: Contract, options: MessageOptions): Promise<PreparedContract> {
  try {
    const { prepared, operations, diagnostics, validation, failures, declared } = prepare(contract, options);
    const isCompiledNow = prepared.length <= COMPILED_AT_START;
    const found = new UncompilableOperations(contract.document, operations);
    if (diagnostics.length === 0 && isCompiledNow)
      for (const { schemas } of prepared) await compileIfPossible(schemas, found);
    diagnostics.push(...found.diagnostics);
    if (diagnostics.length > 0) throw new Refused(diagnostics);
    if (!isCompiledNow) void inPauses(prepared.map(({ schemas }) => compilation(schemas, found)));
    return {
      prepared,
      forms: new ErrorForms(failures, isCompiledNow ? validation : failureValidation(validation, failures), declared),
    };
  } catch (error) {
    throw await contract.sources.error(diagnosticsOf(error));
  }
}

/**
 * The places of a contract that cannot be served, beside those that reading it has found.
 * @param isCompiled whether its schemas are compiled, which finds more; only sound schemas can be.
 */
export async function servingDiagnostics(
  { contract, rest }: Readings,
  isCompiled: boolean,
): Promise<readonly Diagnostic[]> {
  if (contract === undefined) return rest === undefined ? [] : diagnosticsOfRest(rest);
  const { diagnostics, operations, validator } = prepare(contract);
  if (!isCompiled) return diagnostics;
  // Loaded here, since programs that do not check a contract load the library for its errors alone.
  const { addUncompilable } = await import('../validation/express-openapi-validator/uncompilable.ts');
  const found = new UncompilableOperations(contract.document, operations);
  addUncompilable(validator.document, operations, found);
  return [...diagnostics, ...found.diagnostics];
}

/** The readable parts of a contract. */
interface Readings {
  /** The whole contract. */
  readonly contract: Contract | undefined;
  /** The readable parts of a contract that cannot be read as a whole. */
  readonly rest: Contract | undefined;
}

function diagnosticsOfRest(rest: Contract): readonly Diagnostic[] {
  try {
    // What was refused before has become an empty object.
    return prepare(rest).diagnostics.filter(({ node, key }) => ![node, own(node, String(key))].some(isEmpty));
  } catch {
    // A reference to a part that is left out: it can be followed once that part is corrected.
    return [];
  }
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** The operations with what reads and checks their messages. */
interface Preparation {
  readonly prepared: readonly PreparedOperation[];
  /** Every place that cannot be served. */
  readonly diagnostics: Diagnostic[];
  /** The operations with a schema for each part of a multipart body. */
  readonly operations: readonly Operation[];
  readonly failures: FailureOperations;
  readonly validator: ContractValidator;
  /** Of the failures too, where all is compiled at the start. */
  readonly validation: Validation;
  /** The properties of responses that are sent; undefined for all. */
  readonly declared: DeclaredProperties | undefined;
}

function prepare(contract: Contract, options = DEFAULTS): Preparation {
  const { bodyLimits, sendsContinue, undeclaredQuery, undeclaredProperties, formats } = options;
  const { document } = contract;
  const declared =
    undeclaredProperties === 'strip' ? new DeclaredProperties(document, new Set(Object.keys(formats))) : undefined;
  const diagnostics: Diagnostic[] = [];
  const readers = contract.operations.map((operation) => {
    diagnostics.push(
      ...refusedParameters(document, operation),
      ...refusedEncodings(operation),
      ...refusedSchemes(contract, operation),
    );
    const requestBody = new RequestBodyReader(contract, operation, bodyLimits, sendsContinue);
    return {
      operation,
      checkedOperation: withPartSchemas(operation, requestBody),
      requestBody,
      parameters: new Parameters(
        contract,
        operation,
        undeclaredQuery,
        operation.querystring && querystringReader(document, operation.querystring),
      ),
      representations: new Representations(operation, document, declared),
    };
  });
  const operations = readers.map(({ checkedOperation }) => checkedOperation);
  const schemas = operations.flatMap((operation) => [
    requestSchemas(document, operation),
    responseSchemas(document, operation),
  ]);
  const reachable = reachableSchemas(document, schemas.flatMap(Object.values));
  diagnostics.push(
    ...refusedSchemas(document, reachable),
    ...endlessDefault(document, reachable),
    ...impossibleFailures(document, contract.operations),
  );
  const failures = new FailureOperations(contract);
  // One validator for all, which takes a sixth of a start to load.
  const together = operations.length <= COMPILED_AT_START ? failures.operations : [];
  const custom = Object.keys(formats).length === 0 ? NO_FORMATS : customFormats(formats);
  const validator = new ContractValidator(contract, [...operations, ...together], custom);
  const validation = new Validation(contract, validator);
  if (custom.codecs.size > 0 && diagnostics.length === 0) {
    const requests = operations.flatMap((operation) => Object.values(requestSchemas(document, operation)));
    diagnostics.push(...undecodableDefaults(document, requests, validation.places));
  }
  const prepared = readers.map(({ checkedOperation, ...reader }) => {
    const schemas = new OperationSchemas(validation, checkedOperation);
    return {
      ...reader,
      schemas,
      requestValidator: new RequestValidator(schemas),
      responseValidator: new ResponseValidator(schemas, declared),
    };
  });
  return { prepared, diagnostics, operations, failures, validator, validation, declared };
}

/** The failures of a large contract are compiled by themselves: its document takes long to read. */
function failureValidation(
  { contract, validator: { customFormats: custom } }: Validation,
  { operations }: FailureOperations,
): Validation {
  return new Validation(contract, new ContractValidator(contract, operations, custom));
}

/** The operation with a schema for each part of a multipart body, as it is checked. */
function withPartSchemas(operation: Operation, requestBody: RequestBodyReader): Operation {
  return { ...operation, requestBody: requestBody.schemas };
}

/**
 * Compiles the schemas of an operation, unless they are known not to compile.
 * @returns the diagnostic, if its cause was not known.
 */
async function compileIfPossible(
  schemas: OperationSchemas,
  found: UncompilableOperations,
): Promise<Diagnostic | undefined> {
  if (found.isKnown(schemas.operation)) return undefined;
  try {
    await schemas.compile();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return found.add(schemas.operation, error.cause);
  }
}

/**
 * Compiles an operation before its first request. Warns of each cause for which some cannot be
 * compiled: the others are served.
 */
function compilation(schemas: OperationSchemas, found: UncompilableOperations): () => Promise<void> {
  return async () => {
    const diagnostic = await compileIfPossible(schemas, found);
    if (diagnostic === undefined) return;
    process.emitWarning(`${diagnostic.reason} Their requests get 500.`, { code: 'OPENAPI_EXACT_NOT_SERVED' });
  };
}
