import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { loadContract } from 'openapi-exact';
import { startProcess } from 'test-support/process.ts';
import { serveApp, startService, type ServedApp } from '../test/support/service.ts';
import { setUp, testOrSkip } from './checks/set-up.ts';
import {
  ExampleMessages,
  objectOf,
  operationAt,
  operationOf,
  operationKeys,
  readDocuments,
  responseValue,
  textOf,
  verifiersOf,
  writeJson,
  type Credential,
  type JsonObject,
  type SourceDocument,
} from 'openapi-exact-cli/examples';

const VERSION = '4.32.5';
const FEATURES = fileURLToPath(new URL('../packages/openapi-exact/test/fixtures/contracts/features', import.meta.url));
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
const CONFORMANCE = 'response_schema_conformance';
/** Instead of the name of a check: Schemathesis leaves the operation out. */
const NONE = '';

/** What Schemathesis calls a failure and is none: the paths are an expression, '' for all. */
const EXPLAINED: readonly (readonly [contract: string, paths: string, check: string, reason: string])[] = [
  ['defaults.yaml', '^/plants$', ACCEPTANCE, NUMBERS],
  ['forms.yaml', '', REJECTION, WRITTEN],
  ['forms.yaml', '^/upload$', ACCEPTANCE, NUMBERS],
  ['forms.yaml', '^/deep$', ACCEPTANCE, 'It writes JSON for a field that has the style deepObject.'],
  ['forms.yaml', '^/related$', NONE, 'It cannot write multipart/related.'],
  ['forms.yaml', '^/encoded$', ACCEPTANCE, 'It encodes the delimiters of a list, which makes it one item.'],
  [
    'forms.yaml',
    '^/opaque$',
    ACCEPTANCE,
    'It leaves out the line break after an empty part (RFC 2046, section 5.1.1).',
  ],
  ['item-streams.yaml', '^/(lines|pairs|records)$', NONE, 'It cannot write JSON Lines and JSON text sequences.'],
  [
    'media-types.yaml',
    '^/events$',
    CONFORMANCE,
    'In OpenAPI 3.1 the schema of a stream describes its text, not one event.',
  ],
  ['media-types.yaml', '^/any$', ACCEPTANCE, 'A text such as YAML is not an object.'],
  ['media-types.yaml', '^/(patch|versioned)$', ACCEPTANCE, NUMBERS],
  ['media-types.yaml', '^/xml$', REJECTION, 'XML is handed over as text and is not validated.'],
  ['parameters.yaml', '^/(choices|names)', ACCEPTANCE, NUMBERS],
  ['paths.yaml', '^/search', ACCEPTANCE, NUMBERS],
  ['schemas.yaml', '^/(formats|numbers)$', ACCEPTANCE, NUMBERS],
  ['schemas.yaml', '^/pots$', NONE, 'It takes the values of a discriminator for texts: these are booleans.'],
  ['servers.yaml', '', 'unsupported_method', 'It asks them for paths that have servers of their own.'],
  ['types.yaml', '^/tuples$', NONE, 'It does not know lists of schemas in items, from earlier drafts of JSON Schema.'],
  ['types.yaml', '^/choices$', ACCEPTANCE, 'It sends the name of a schema to which a mapping gives another value.'],
  [
    'types.yaml',
    '^/comments$',
    CONFORMANCE,
    'It tries all alternatives of a oneOf, also those that the discriminator excludes.',
  ],
  ['types.yaml', '^/(numbers|presets)', ACCEPTANCE, NUMBERS],
  ['types.yaml', '^/problems$', ACCEPTANCE, 'It sends application/json where the contract has application/*+json.'],
  ['version-3.0.yaml', '^/plants/', ACCEPTANCE, 'In OpenAPI 3.0.3 nullable has no effect without a type beside it.'],
  ['version-3.1.yaml', '^/beds$', ACCEPTANCE, NUMBERS],
  ['version-3.2-methods.yaml', '^/plants$', 'allow_header_conformance', 'It does not know additional operations.'],
  ['version-3.2-methods.yaml', '^/plants$', ACCEPTANCE, NUMBERS],
  [
    'version-3.2-parameters.yaml',
    '^/cookies$',
    ACCEPTANCE,
    'It writes a list without items as an empty value, which RFC 6570, section 2.3, leaves out.',
  ],
  ['version-3.2-parameters.yaml', '^/cookies$', REJECTION, 'It writes an exploded object as one cookie.'],
  ['version-3.2-parameters.yaml', '^/empty$', ACCEPTANCE, NUMBERS],
  [
    'version-3.2-querystring.yaml',
    '^/form$',
    NONE,
    'It asks for a name, which the example of a form in OpenAPI 3.2.0 leaves out.',
  ],
];

await testOrSkip(
  'test:schemathesis',
  'Runs Schemathesis, all phases and checks, against the plant store and a server of each contract of the tests.',
  'Python or the download',
  async (folder) => {
    await setUp(folder, 'python3', ['-m', 'venv', 'venv']);
    await setUp(folder, join('venv', 'bin', 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`]);
  },
  async (folder) => [await testPlantStore(folder), ...(await testFeatures(folder))].every(Boolean),
);

async function testPlantStore(folder: string): Promise<boolean> {
  const service = await startService(Array.from({ length: 100 }, (_, index) => BigInt(index)));
  const config = `[auth.openapi.bearerAuth]\nbearer = "${service.token}"\n`;
  return run(folder, 'openapi.yaml', CONTRACT, service, config);
}

/** Serves each contract with handlers that return generated examples. */
async function testFeatures(folder: string): Promise<boolean[]> {
  const results: boolean[] = [];
  const file = join(folder, 'openapi.json');
  for await (const document of readDocuments(FEATURES, () => undefined)) {
    await writeFile(file, writeJson(withRefusals(document)));
    const contract = await loadContract(pathToFileURL(file));
    const messages = new ExampleMessages(document);
    const handlers = operationKeys(document).map((operationKey) => {
      const [response] = messages.responses(operationKey);
      return [operationOf(contract, operationKey).id, () => responseValue(response)] as const;
    });
    const schemes = Object.keys(contract.document.components?.securitySchemes ?? {});
    const credentials = schemes.map((scheme) => messages.credential(scheme));
    const verifiers = verifiersOf(credentials, schemes);
    const log = pino({ level: 'silent' });
    const served = await serveApp({ contract, handlers: Object.fromEntries(handlers), verifiers, log });
    results.push(await run(folder, document.name, file, served, credentials.map(configured).join('\n')));
  }
  return results;
}

/** The contract with responses for the refusals of the plant store, where it has none. */
function withRefusals(document: SourceDocument): JsonObject {
  const copy = structuredClone(document.root);
  for (const operationKey of operationKeys({ view: copy })) {
    const { definition } = operationAt({ view: copy }, operationKey);
    const responses = objectOf(definition['responses']);
    for (const range of ['4XX', '5XX']) {
      responses[range] ??= { description: 'Refused.', content: { 'application/json': { schema: ERROR } } };
    }
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

/** Runs Schemathesis on a server, closes it and shows failures. @returns true without any. */
async function run(
  folder: string,
  name: string,
  contract: string,
  served: ServedApp,
  config: string,
): Promise<boolean> {
  const file = join(folder, 'schemathesis.toml');
  const explained = EXPLAINED.filter(([explainedOf]) => explainedOf === name).map(
    ([, paths, check, reason]) =>
      `# ${reason}\n[[operations]]\ninclude-path-regex = '${paths}'\n${check === NONE ? '' : `checks.${check}.`}enabled = false\n`,
  );
  await writeFile(file, [...explained, config].join('\n'));
  const options = ['--origin', served.url, '--suppress-health-check=filter_too_much', '--seed', '1', '--no-color'];
  const args = ['--config-file', file, 'run', contract, ...options];
  const program = join(folder, 'venv', 'bin', 'schemathesis');
  const { code, stdout, stderr } = await startProcess(program, args, { cwd: folder, timeout: TIMEOUT }).ended;
  await served.close();
  const [cases = 'no case'] = /\d+ generated/.exec(stdout) ?? [];
  console.log(`${name}: ${cases}, ${code === 0 ? 'no failure' : `failed\n${stdout}${stderr}`}`);
  return code === 0;
}
