import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { DeferredMetrics } from '../../src/admin/metrics.ts';
import { isInstalled } from '../support/installed.ts';
import { startProcess } from 'test-support/process.ts';
import { readProjectFile } from 'test-support/readme.ts';

const ALERTS = 'deploy/prometheus/alerts.yaml';
const DASHBOARD = 'deploy/grafana/plant-store.json';

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
}
interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

/** All metrics of a service that has answered something of each kind, as Prometheus reads them. */
async function exposition(): Promise<string> {
  const { answered, committed, queue, renderMetrics } = new DeferredMetrics();
  answered({ operation: 'deletePlant', status: 204, seconds: 0.001, reason: undefined });
  answered({ operation: 'deletePlant', status: 401, seconds: 0.001, reason: 'invalidCredentials' });
  committed(1, 0.001);
  queue(() => 1);
  return (await renderMetrics()).text;
}

/** Of the package prometheus of Debian and Ubuntu. */
(isInstalled('promtool') ? test : test.skip)('promtool objects to none of the metrics and alert rules', async () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const metrics = startProcess('promtool', ['check', 'metrics'], { cwd });
  metrics.child.stdin.end(await exposition());
  expect(await metrics.ended).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await startProcess('promtool', ['check', 'rules', ALERTS], { cwd }).ended).toMatchObject({ code: 0 });
});

test('the alert rules and the dashboard ask for metrics that the service has, of one job, and show all of its own', async () => {
  const types = [...(await exposition()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  const metrics = types.flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
  );
  // promtool checks the form of the first; the second is taken as Grafana exports it.
  const { groups } = parse(await readProjectFile(ALERTS)) as Rules;
  const { panels } = JSON.parse(await readProjectFile(DASHBOARD)) as Dashboard;
  const expressions = [
    ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  expect(expressions.length).toBeGreaterThan(20);
  for (const expr of expressions) {
    const series = [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].map(([, metric = '', labels = '']) => ({ metric, labels }));
    expect({ expr, series }).not.toEqual({ expr, series: [] });
    expect(series.filter(({ metric }) => metric !== 'up' && !metrics.includes(metric))).toEqual([]);
    expect(series.filter(({ labels }) => !/\bjob="(plant-store|\$job)"/.test(labels))).toEqual([]);
  }
  const families = types.map(([, name = '']) => name).filter((name) => !/^(process|nodejs)_/.test(name));
  expect(families.filter((name) => !expressions.join().includes(name))).toEqual([]);
});
