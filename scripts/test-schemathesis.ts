import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { loadContract } from '../src/contract/document/load.ts';
import { messageOf } from '../src/errors.ts';
import { commandLine } from '../test/support/command-line.ts';
import { startProcess } from '../test/support/process.ts';
import { serveApp, startService, temporaryFolder, type ServedApp } from '../test/support/service.ts';
import { setUp, testOrSkip } from './checks/set-up.ts';
import { ExampleMessages, type Credential } from './contracts/example-messages.ts';
import { objectOf, textOf, writeJson, type JsonObject } from './contracts/json-value.ts';
import { operationOf, responseValue, verifiersOf } from './contracts/serve-operation.ts';
import { operationAt, places, readDocuments, type SourceDocument } from './contracts/source-document.ts';

const VERSION = '4.32.5';
const FEATURES = fileURLToPath(new URL('../test/fixtures/contracts/features', import.meta.url));
const CONTRACT = fileURLToPath(new URL('../openapi.yaml', import.meta.url));
/** For one contract, in milliseconds. */
const TIMEOUT = 1_200_000;

/** The schema of a refusal. */
const ERROR = {
  type: 'object',
  required: ['error', 'message'],
  properties: { error: { type: 'integer' }, message: { type: 'string' } },
};

const NUMBERS = 'Integers that no double holds are refused where the contract does not call them int64.';
const WRITTEN = 'A scalar in place of a list is written like a list of one, and a text like any other value.';
const ACCEPTANCE = 'positive_data_acceptance';
const REJECTION = 'negative_data_rejection';

/** What Schemathesis calls a failure and is none: the paths are an expression, '' for all. */
const EXPLAINED: readonly (readonly [contract: string, paths: string, check: string, reason: string])[] = [
  ['defaults.yaml', '^/plants$', ACCEPTANCE, NUMBERS],
  ['forms.yaml', '', REJECTION, WRITTEN],
  ['forms.yaml', '^/upload$', ACCEPTANCE, NUMBERS],
  ['forms.yaml', '^/encoded$', ACCEPTANCE, 'It encodes the delimiters of a list, which makes it one item.'],
  [
    'forms.yaml',
    '^/opaque$',
    ACCEPTANCE,
    'It leaves out the line break after an empty part (RFC 2046, section 5.1.1).',
  ],
  [
    'media-types.yaml',
    '^/events$',
    'response_schema_conformance',
    'In OpenAPI 3.1 the schema of a stream describes its text, not one event.',
  ],
  ['media-types.yaml', '^/any$', ACCEPTANCE, 'A text such as YAML is not an object.'],
  ['media-types.yaml', '^/(patch|versioned)$', ACCEPTANCE, NUMBERS],
  ['media-types.yaml', '^/xml$', REJECTION, 'XML is handed over as text and is not validated.'],
  ['parameters.yaml', '^/(choices|names)', ACCEPTANCE, NUMBERS],
  ['paths.yaml', '^/search', ACCEPTANCE, NUMBERS],
  ['schemas.yaml', '^/(formats|numbers)$', ACCEPTANCE, NUMBERS],
  ['servers.yaml', '', 'unsupported_method', 'It asks them for paths that have servers of their own.'],
  ['version-3.0.yaml', '^/plants/', ACCEPTANCE, 'In OpenAPI 3.0.3 nullable has no effect without a type beside it.'],
  ['version-3.1.yaml', '^/beds$', ACCEPTANCE, NUMBERS],
];

const { required = false } = commandLine(
  'npm run test:schemathesis --',
  'Runs Schemathesis, all phases and checks, against the plant store and a server of each contract of the tests.',
)
  .option('--required', 'fail, instead of skipping, where Python or the download is missing')
  .parse()
  .opts<{ required?: boolean }>();

const folder = await temporaryFolder();
const program = join(folder, 'venv', 'bin', 'schemathesis');
await testOrSkip(folder, 'Schemathesis', required, install, async () =>
  [await testPlantStore(), ...(await testFeatures())].every(Boolean),
);

async function install(): Promise<void> {
  await setUp(folder, 'python3', ['-m', 'venv', 'venv']);
  await setUp(folder, join('venv', 'bin', 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`]);
}

async function testPlantStore(): Promise<boolean> {
  const service = await startService(Array.from({ length: 100 }, (_, index) => BigInt(index)));
  try {
    return await run('openapi.yaml', CONTRACT, service, `[auth.openapi.bearerAuth]\nbearer = "${service.token}"\n`);
  } finally {
    await service.close();
  }
}

async function testFeatures(): Promise<boolean[]> {
  const results: boolean[] = [];
  for await (const document of readDocuments(FEATURES, () => undefined)) {
    const file = join(folder, 'openapi.json');
    await writeFile(file, writeJson(withRefusals(document)));
    results.push(await testExamples(document, file));
  }
  return results;
}

async function testExamples(document: SourceDocument, file: string): Promise<boolean> {
  try {
    const { served, credentials } = await serveExamples(document, pathToFileURL(file));
    try {
      return await run(document.name, file, served, credentials.map(configured).join('\n'));
    } finally {
      await served.close();
    }
  } catch (error) {
    console.log(`${document.name}: failed, ${messageOf(error)}`);
    return false;
  }
}

/** Serves the contract with handlers that return generated examples. */
async function serveExamples(
  document: SourceDocument,
  file: URL,
): Promise<{ served: ServedApp; credentials: readonly Credential[] }> {
  const messages = new ExampleMessages(document);
  const contract = await loadContract(file);
  const handlers = places(document).map((place) => {
    const response = messages.response(place);
    return [operationOf(contract, place).id, () => responseValue(response)] as const;
  });
  const credentials = Object.keys(contract.document.components?.securitySchemes ?? {}).map((scheme) =>
    messages.credential(scheme),
  );
  const served = await serveApp({
    contract,
    handlers: Object.fromEntries(handlers),
    verifiers: verifiersOf(
      credentials,
      credentials.map(({ scheme }) => scheme),
    ),
    log: pino({ level: 'silent' }),
  });
  return { served, credentials };
}

/** The contract with a default response for the refusals, where it has none. */
function withRefusals(document: SourceDocument): JsonObject {
  const copy = structuredClone(document.root);
  for (const place of places({ view: copy })) {
    const { definition } = operationAt({ view: copy }, place);
    const responses = objectOf(definition['responses']);
    responses['default'] ??= { description: 'Refused.', content: { 'application/json': { schema: ERROR } } };
  }
  return copy;
}

function configured({ scheme, value, credentials }: Credential): string {
  const { username, password } = objectOf(credentials);
  const lines =
    username !== undefined
      ? `username = "${textOf(username)}"\npassword = "${textOf(password)}"`
      : value === credentials
        ? `api_key = "${value}"`
        : `bearer = "${textOf(credentials)}"`;
  return `[auth.openapi.${scheme}]\n${lines}\n`;
}

/** Runs Schemathesis and shows what it says of failures. @returns whether there was none. */
async function run(name: string, contract: string, { url }: ServedApp, config: string): Promise<boolean> {
  const file = join(folder, 'schemathesis.toml');
  const explained = EXPLAINED.filter(([explainedOf]) => explainedOf === name).map(
    ([, paths, check, reason]) =>
      `# ${reason}\n[[operations]]\ninclude-path-regex = '${paths}'\nchecks.${check}.enabled = false\n`,
  );
  await writeFile(file, [...explained, config].join('\n'));
  const options = ['--origin', url, '--suppress-health-check=filter_too_much', '--seed', '1', '--no-color'];
  const args = ['--config-file', file, 'run', contract, ...options];
  const { code, stdout, stderr } = await startProcess(program, args, { cwd: folder, timeout: TIMEOUT }).ended;
  const [cases = 'no case'] = /\d+ generated/.exec(stdout) ?? [];
  console.log(`${name}: ${cases}, ${code === 0 ? 'no failure' : `failed\n${stdout}${stderr}`}`);
  return code === 0;
}
