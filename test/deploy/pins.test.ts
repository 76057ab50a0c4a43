import { expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, ROOT), 'utf8');
const workflows = (await readdir(new URL('.github/workflows', ROOT))).map((name) => `.github/workflows/${name}`);

type Step = Readonly<Partial<Record<'uses' | 'run', string> & { with: Readonly<Record<string, unknown>> }>>;
type Permissions = Readonly<Record<string, string>>;
/** The parts of a workflow that are read; actionlint checks its form in CI. */
interface Workflow {
  readonly permissions: Permissions;
  readonly jobs: Readonly<Record<string, { readonly permissions?: Permissions; readonly steps?: readonly Step[] }>>;
}

test.each(workflows)('%s pins every action by commit hash and names its tag', async (path) => {
  const uses = (await read(path)).split('\n').filter((line) => /\buses: (?!\.\/)/.test(line));
  expect(uses).not.toEqual([]);
  expect(uses.filter((line) => !/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

test.each(workflows)('%s keeps no credentials, and installs nothing in a job that can write', async (path) => {
  // actionlint checks its form in CI.
  const { permissions, jobs } = parse(await read(path)) as Workflow;
  expect(permissions).toEqual({ contents: 'read' });
  for (const { permissions: own = {}, steps = [] } of Object.values(jobs)) {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.filter((step) => step.with?.['persist-credentials'] !== false)).toEqual([]);
    if (!Object.values(own).includes('write')) continue;
    expect(
      steps.filter(
        ({ run = '', uses = '' }) => /\bnpx\b|\bnpm (?!publish )/.test(run) || /checkout|build-push/.test(uses),
      ),
    ).toEqual([]);
  }
});

test('the base images are pinned by digest', async () => {
  const images = [...(await read('Dockerfile')).matchAll(/^FROM (?:--\S+ )?(\S+)/gm)].map(([, image]) => image);
  const services = [...(await read('compose.yaml')).matchAll(/^\s+image: (\S+)/gm)].map(([, image]) => image);
  expect([images.length, services.length]).toEqual([3, 1]);
  for (const image of [...images, ...services]) expect(image).toMatch(/^[\w-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
});
