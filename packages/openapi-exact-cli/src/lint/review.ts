import {
  ContractError,
  declaredStatus,
  errorBodyDiagnostics,
  ownFailures,
  readContract,
  servingDiagnostics,
  type Bundle,
  type Contract,
  type ContractSource,
  type OpenApiDocument,
  type Problem,
  type Diagnostic,
} from 'openapi-exact/contract';
import { unusedDefaults } from './unused-defaults.ts';
import { unvalidatedParts } from './unvalidated-parts.ts';
import { costlyPatterns } from './costly-patterns.ts';
import { idleItemSchemas, uncheckedStreams } from './idle-item-schemas.ts';
import { impossibleSchemas } from './impossible-schemas.ts';
import { ignoredBeforeConversion, ignoredValues } from './ignored-values.ts';
import { misspeltNames } from './misspelt-names.ts';
import { misspeltKeys, type MisspeltKey } from './misspelt-keys.ts';
import { undeclaredParameters } from './undeclared-parameters.ts';
import { unseenPreconditions } from './unseen-preconditions.ts';
import { costlyValues } from './costly-values.ts';
import { manyMerges } from './many-merges.ts';
import { misfitValues } from './misfit-values.ts';
import { serializedExamples } from './serialized-examples.ts';
import { unreadMethods } from './unread-methods.ts';

/** Everything that is wrong or doubtful in a contract. */
export interface Review {
  /** Undefined when the contract cannot be served. */
  readonly contract: Contract | undefined;
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Whether the start is refused without the option `errorBody`: a warning says why. */
  readonly needsErrorBody: boolean;
  /** The files that were read. */
  readonly files: readonly string[];
}

/**
 * Reviews a contract as the start of a service does. A warning that an error causes is left out.
 * @param source as loadContract takes it.
 * @param mostCompiled the schemas of a contract with more operations than this are not compiled.
 * @throws ConfigurationError when the contract cannot be read.
 */
export async function reviewContract(source: ContractSource, mostCompiled = Infinity): Promise<Review> {
  try {
    const ignored: Diagnostic[] = [];
    const { sources, contract, diagnostics, isCompilable, nodes, versionOf, rest } = await readContract(
      source,
      (bundle) => {
        ignored.push(...ignoredBeforeConversion(bundle), ...idleItemSchemas(bundle));
      },
    );
    const isCompiled = isCompilable && contract !== undefined && contract.operations.length <= mostCompiled;
    const serving = await servingDiagnostics({ contract, rest }, isCompiled);
    const misspelt = misspeltKeys({ nodes, versionOf });
    const errors = [...diagnostics, ...serving].map((diagnostic) => withHint(diagnostic, misspelt));
    const schemas = nodes.get('schema') ?? [];
    const isSound = contract !== undefined && errors.length === 0 && contract.operations.length <= mostCompiled;
    const errorBodies = isSound ? await errorBodyDiagnostics(contract) : [];
    const doubts = [
      ...errorBodies,
      ...misspelt.map(misspeltWarning),
      ...costlyPatterns(schemas),
      ...impossibleSchemas(schemas),
      ...misspeltNames({ nodes }),
      ...(isSound ? await misfitValues(contract, nodes, versionOf) : []),
      ...(isSound ? serializedExamples(contract.document, { nodes, versionOf }) : []),
      ...ignored,
      ...(contract === undefined ? [] : doubtsOf(contract, nodes)),
    ];
    const warnings = doubts.filter(({ node }) => !errors.some((error) => error.node === node));
    const errorProblems = await sources.problems(errors, 'error');
    const refused = new Set(errorProblems.map(fileAndLine));
    const warningProblems = await sources.problems(warnings, 'warning');
    return {
      contract: errors.length === 0 ? contract : undefined,
      errors: errorProblems,
      warnings: warningProblems.filter((problem) => !refused.has(fileAndLine(problem))),
      needsErrorBody: errorBodies.length > 0,
      files: [...sources.texts.keys()],
    };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return { contract: undefined, errors: error.problems, warnings: [], needsErrorBody: false, files: error.files };
  }
}

/** The warnings of a contract that was read as a whole. */
function doubtsOf(contract: Contract, nodes: Bundle['nodes']): readonly Diagnostic[] {
  // Safe: the whole document was checked.
  const written = (nodes.get('document') ?? []) as unknown as readonly Partial<OpenApiDocument>[];
  return [
    ...ignoredValues(contract.document, nodes.get('schema') ?? []),
    ...written.flatMap((document) => undeclaredParameters(contract.document, document)),
    ...unusedDefaults(contract),
    ...unvalidatedParts(contract),
    ...uncheckedStreams(contract),
    ...undeclaredStatuses(contract),
    ...unseenPreconditions(contract),
    ...unreadMethods(contract),
    ...costlyValues(contract),
    ...manyMerges(contract),
  ];
}

/** A diagnostic that names a misspelt key of the same object, if that key is what it misses. */
function withHint(diagnostic: Diagnostic, misspelt: readonly MisspeltKey[]): Diagnostic {
  const cause = misspelt.find(({ node, meant }) => node === diagnostic.node && diagnostic.reason.includes(meant));
  if (cause === undefined) return diagnostic;
  return { ...diagnostic, key: cause.key, reason: `${diagnostic.reason} Did you mean ${cause.meant} by ${cause.key}?` };
}

function misspeltWarning({ node, key, of, meant }: MisspeltKey): Diagnostic {
  return { node, key, reason: `${key} is not a keyword of ${of} and is ignored. Did you mean ${meant}?` };
}

/** A warning for each operation that answers statuses which it does not declare. */
function undeclaredStatuses({ operations }: Contract): readonly Diagnostic[] {
  return operations.flatMap((operation) => {
    const { id, responses, definition } = operation;
    const statuses = ownFailures(operation)
      .map(([status]) => status)
      .filter((status) => declaredStatus(responses, status) === undefined);
    if (statuses.length === 0) return [];
    const reason = `${id} also answers ${listOf(statuses)}: declare each status, a range such as 4XX, or default.`;
    return [{ node: definition, key: 'responses', reason }];
  });
}

function listOf(statuses: readonly number[]): string {
  const sorted = [...new Set(statuses)].sort((left, right) => left - right);
  const last = sorted.pop();
  return sorted.length === 0 ? String(last) : `${sorted.join(', ')} and ${last}`;
}

/** The file and line of a problem. */
function fileAndLine({ file, line, pointer }: Problem): string {
  return `${file}:${line ?? pointer}`;
}
