import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Service } from 'kubernetes-types/core/v1.js';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import { parseAllDocuments } from 'yaml';
import { codeBlock, readProjectFile } from '../support/readme.ts';
import { temporaryFolder } from '../support/service.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

describe('deploy/kubernetes/plant-store.yaml', () => {
  let deployment: Deployment;
  let service: Service;
  let policy: NetworkPolicy;
  beforeAll(async () => {
    const documents = parseAllDocuments(await readProjectFile('deploy/kubernetes/plant-store.yaml'));
    // The first test holds them against these types.
    [deployment, service, policy] = documents.map((document) => document.toJS() as unknown) as [
      Deployment,
      Service,
      NetworkPolicy,
    ];
  });

  test('has no field or value that Kubernetes does not know', async () => {
    const source = [
      `import type { Deployment } from '${MODULES}/kubernetes-types/apps/v1.js';`,
      `import type { Service } from '${MODULES}/kubernetes-types/core/v1.js';`,
      `import type { NetworkPolicy } from '${MODULES}/kubernetes-types/networking/v1.js';`,
      `export const policy: NetworkPolicy = ${JSON.stringify(policy)};`,
      `export const deployment: Deployment = ${JSON.stringify(deployment)};`,
      `export const service: Service = ${JSON.stringify(service)};`,
    ];
    const folder = await temporaryFolder();
    try {
      await writeFile(join(folder, 'manifest.ts'), source.join('\n'));
      // The manifest's types stand on nothing: without those of Node, which take seconds to read, they mean the same.
      const compilerOptions = { noEmit: true, strict: true, target: 'es2023', lib: ['es5'], types: [] };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifest.ts'] }));
      const args = [join(MODULES, 'typescript', 'bin', 'tsc'), '--project', folder];
      const { stdout } = await promisify(execFile)(process.execPath, args).catch((error: unknown) => ({
        // execFile's error has what the program wrote.
        stdout: (error as { stdout: string }).stdout,
      }));
      expect(stdout).toBe('');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('sends requests to the pods it makes, and none to the port for operators', () => {
    const { matchLabels } = deployment.spec?.selector ?? {};
    expect(matchLabels).toEqual({ 'app.kubernetes.io/name': 'plant-store' });
    expect(deployment.spec?.template.metadata?.labels).toEqual(matchLabels);
    expect(service.spec?.selector).toEqual(matchLabels);
    expect(service.spec?.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
  });

  test('lets everybody reach the port for requests, and only the monitoring reach the one for operators', () => {
    expect(policy.spec?.podSelector).toEqual({ matchLabels: deployment.spec?.template.metadata?.labels });
    expect(policy.spec?.ingress).toEqual([
      { ports: [{ port: 'http' }] },
      {
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
        ports: [{ port: 'admin' }],
      },
    ]);
  });

  test('takes the database from the secret that the commands in docs/deployment.md make', async () => {
    const commands = await codeBlock('docs/deployment.md', 'sh', 'kubectl apply');
    const [, name, key] = /create secret generic (\S+) --from-file=(\w+)=/.exec(commands) ?? [];
    const variable = { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name, key } } };
    expect(deployment.spec?.template.spec?.containers[0]?.env).toContainEqual(variable);
    expect(commands).toContain(`kubectl exec deployment/${deployment.metadata?.name ?? ''} -- `);
  });

  test('meets the restricted Pod Security Standard, and has probes and bounds', () => {
    const { securityContext: pod, containers } = deployment.spec?.template.spec ?? {};
    // https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
    expect(pod).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(containers).toMatchObject([
      {
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        livenessProbe: { httpGet: { path: '/livez', port: 'admin' } },
        readinessProbe: { httpGet: { path: '/readyz', port: 'admin' } },
        resources: { requests: { memory: '192Mi' }, limits: { memory: '384Mi' } },
      },
    ]);
  });
});
