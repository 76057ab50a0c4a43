import { readFile, writeFile, mkdir, chown } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from 'test-support/listen.ts';
import type { RunningProcess } from 'test-support/process.ts';
import { tcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { BIN, signalAll, startProgram, stopPrograms, treeOf, USER } from './programs.ts';

/** Patroni's shortest, in seconds. */
const TTL = 20;
/** The longest start of the cluster, and return of a server, in milliseconds. */
const PATIENCE = 120_000;

/** A server of the cluster with its Patroni. */
export interface Node {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  /** The way of the other servers to this one. */
  readonly replication: TcpProxy;
  start(): void;
  signalPostgres(signal: NodeJS.Signals): Promise<void>;
  signalPatroni(signal: NodeJS.Signals): void;
}

/** What Patroni says of a server: https://patroni.readthedocs.io/en/latest/rest_api.html. */
interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Three servers of PostgreSQL under Patroni with synchronous replication, and etcd. */
export class PatroniCluster {
  readonly folder: string;
  readonly nodes: readonly Node[];
  readonly #etcd: RunningProcess;

  private constructor(folder: string, nodes: readonly Node[], etcd: RunningProcess) {
    this.folder = folder;
    this.nodes = nodes;
    this.#etcd = etcd;
  }

  static async start(folder: string): Promise<PatroniCluster> {
    const [client, peer] = [await freePort(), await freePort()];
    const urls = { client: `http://127.0.0.1:${client}`, peer: `http://127.0.0.1:${peer}` };
    const etcd = startProgram(
      'etcd',
      [
        ...['--data-dir', join(folder, 'etcd'), '--name', 'etcd', '--initial-cluster', `etcd=${urls.peer}`],
        ...['--listen-client-urls', urls.client, '--advertise-client-urls', urls.client],
        ...['--listen-peer-urls', urls.peer, '--initial-advertise-peer-urls', urls.peer],
      ],
      folder,
    );
    const nodes: Node[] = [];
    for (const name of ['a', 'b', 'c']) nodes.push(await node(folder, name, client));
    const cluster = new PatroniCluster(folder, nodes, etcd);
    try {
      const isUp = (): Promise<boolean> =>
        fetch(`${urls.client}/health`).then(
          ({ ok }) => ok,
          () => false,
        );
      while (!(await isUp())) await pause(100);
      for (const node of nodes) node.start();
      await cluster.untilHealthy();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  signalEtcd(signal: NodeJS.Signals): void {
    this.#etcd.child.kill(signal);
  }

  /** The server that takes writes, and the others. */
  async roles(): Promise<{ readonly leader: Node; readonly others: readonly Node[] }> {
    for (;;) {
      const members = await this.#members();
      const name = members.find(({ role, state }) => role === 'leader' && state === 'running')?.name;
      const leader = this.nodes.find((node) => node.name === name);
      if (leader !== undefined) return { leader, others: this.nodes.filter((node) => node !== leader) };
      await pause(200);
    }
  }

  /** Waits for a leader, and two others that follow it, one of them synchronously. */
  async untilHealthy(): Promise<void> {
    const deadline = performance.now() + PATIENCE;
    for (;;) {
      const members = await this.#members();
      const follow = members.filter(({ role, state }) => role !== 'leader' && state === 'streaming');
      if (follow.length === 2 && follow.some(({ role }) => role === 'sync_standby')) return;
      if (performance.now() > deadline) throw new Error(`Not healthy: ${JSON.stringify(members)}`);
      await pause(200);
    }
  }

  async switchOver(): Promise<void> {
    const { leader } = await this.roles();
    const response = await fetch(`http://127.0.0.1:${leader.restPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: leader.name }),
    });
    if (!response.ok) throw new Error(`switchover: ${response.status} ${await response.text()}`);
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) {
      node.signalPatroni('SIGKILL');
      // Its processes are not children of Patroni, but keep its output open.
      await node.signalPostgres('SIGKILL');
      await node.replication.close();
    }
    await stopPrograms();
  }

  async #members(): Promise<readonly Member[]> {
    for (const { restPort } of this.nodes) {
      try {
        const response = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(2_000) });
        // Patroni's own form.
        return ((await response.json()) as { members: Member[] }).members;
      } catch {
        // The next one may answer.
      }
    }
    return [];
  }
}

async function node(parent: string, name: string, etcdPort: number): Promise<Node> {
  const [port, restPort] = [await freePort(), await freePort()];
  const replication = await tcpProxy(port);
  const folder = join(parent, name);
  await mkdir(folder, { mode: 0o700 });
  if (USER.uid !== undefined) await chown(folder, USER.uid, USER.gid);
  const data = join(folder, 'data');
  const file = join(parent, `${name}.json`);
  const config = {
    scope: 'plants',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { hosts: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ...{ ttl: TTL, loop_wait: 2, retry_timeout: 4, synchronous_mode: true, synchronous_mode_strict: true },
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, shared_buffers: '32MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
    },
    postgresql: {
      ...{
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${replication.port}`,
        data_dir: data,
        bin_dir: BIN,
      },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      parameters: { unix_socket_directories: folder },
    },
  };
  // YAML contains JSON.
  await writeFile(file, JSON.stringify(config));
  let patroni: RunningProcess | undefined;
  return {
    name,
    port,
    restPort,
    replication,
    start: () => {
      patroni = startProgram('patroni', [file], folder);
    },
    signalPostgres: async (signal) => {
      const [pid = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
      if (pid !== '') signalAll(treeOf(Number(pid)), signal);
    },
    signalPatroni: (signal) => void patroni?.child.kill(signal),
  };
}
