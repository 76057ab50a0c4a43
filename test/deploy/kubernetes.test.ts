import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.js';
import { parseAllDocuments } from 'yaml';
import { DEFAULT_POOL } from '../../src/stores/database-url.ts';
import { readProjectFile } from 'test-support/readme.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const FOLDER = 'deploy/kubernetes';

/** The type of each kind of object, in kubernetes-types. */
const KINDS = {
  Deployment: 'apps/v1',
  Service: 'core/v1',
  PodDisruptionBudget: 'policy/v1',
  NetworkPolicy: 'networking/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
} as const;

/** All objects of a manifest. The first test holds them against their types. */
async function objectsOf(file: string): Promise<{ kind: keyof typeof KINDS }[]> {
  const documents = parseAllDocuments(await readProjectFile(`${FOLDER}/${file}`));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  return documents.map((document) => document.toJS() as { kind: keyof typeof KINDS });
}

test('no manifest has a field or value that Kubernetes does not know', async () => {
  const files = await readdir(new URL(`../../${FOLDER}`, import.meta.url));
  expect(files.sort()).toEqual(['autoscaler.yaml', 'plant-store.yaml']);
  const objects = (await Promise.all(files.map(objectsOf))).flat();
  expect(objects.map(({ kind }) => kind).sort()).toEqual(Object.keys(KINDS).sort());
  const source = objects.flatMap((object) => [
    `import type { ${object.kind} } from '${MODULES}/kubernetes-types/${KINDS[object.kind]}.js';`,
    `export const a${object.kind}: ${object.kind} = ${JSON.stringify(object)};`,
  ]);
  await inTemporaryFolder('manifest', async (folder) => {
    await writeFile(join(folder, 'manifest.ts'), source.join('\n'));
    // Without the types of Node, which take seconds to read and are not used here.
    const compilerOptions = { noEmit: true, strict: true, target: 'es2023', lib: ['es5'], types: [] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifest.ts'] }));
    const args = [join(MODULES, 'typescript-7', 'bin', 'tsc'), '--project', folder];
    const { stdout } = await promisify(execFile)(process.execPath, args).catch((error: unknown) => ({
      // execFile's error has what the program wrote.
      stdout: (error as { stdout: string }).stdout,
    }));
    expect(stdout).toBe('');
  });
});

test('the deployment is scaled within the connections that PostgreSQL takes, and reads the secret of docs/deployment.md', async () => {
  const objects = [...(await objectsOf('plant-store.yaml')), ...(await objectsOf('autoscaler.yaml'))];
  // The test above holds them against these types.
  const deployment = objects.find(({ kind }) => kind === 'Deployment') as Deployment;
  const autoscaler = objects.find(({ kind }) => kind === 'HorizontalPodAutoscaler') as HorizontalPodAutoscaler;
  const { apiVersion, kind, metadata } = deployment;
  expect(autoscaler.spec?.scaleTargetRef).toEqual({ apiVersion, kind, name: metadata?.name });
  // https://www.postgresql.org/docs/current/runtime-config-connection.html: 100, of which 3 are
  // reserved.
  expect((autoscaler.spec?.maxReplicas ?? Infinity) * (DEFAULT_POOL + 2)).toBeLessThanOrEqual(97);

  const commands = await readProjectFile('docs/deployment.md');
  const [, name, key] = /create secret generic (\S+) --from-file=(\w+)=/.exec(commands) ?? [];
  const variable = { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name, key } } };
  expect(deployment.spec?.template.spec?.containers[0]?.env).toContainEqual(variable);
  expect(commands).toContain(`kubectl exec deployment/${metadata?.name ?? ''} -- `);
});
