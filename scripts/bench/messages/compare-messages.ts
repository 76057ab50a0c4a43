import { sendRepeated } from '../load.ts';
import { roundOf, type Plan } from '../measure.ts';
import type { Row } from '../results.ts';
import { ServerProcess, type Contestant } from '../servers.ts';
import { CONTESTANTS } from './contestants.ts';
import { MESSAGE_KINDS, TOKEN, type MessageKind } from './kinds.ts';

/** Seconds of load: on all servers at once before the rounds of a kind of message, and a round. */
const WARM_UP = { quick: 2, full: 6 };
const ROUND = 1;

/**
 * Measures each kind of message on each server: in the order A B C, then C B A, one kind after the
 * other, with new processes for each set. A process serves all kinds, as a service does: it is
 * warmed up with all of them, and before the rounds of a kind with that kind once more.
 */
export async function compareMessages(plan: Plan): Promise<Row[]> {
  const rows = MESSAGE_KINDS.flatMap(({ name }) => CONTESTANTS.map((server) => newRow(name, server.name)));
  for (let set = 0; set < plan.sets; set++) {
    const servers: ServerProcess[] = [];
    try {
      for (const contestant of CONTESTANTS) servers.push(await startServer(contestant));
      for (const kind of MESSAGE_KINDS) await warmUp(kind, servers, plan);
      for (const [index, kind] of MESSAGE_KINDS.entries()) {
        const own = rows.slice(index * CONTESTANTS.length, (index + 1) * CONTESTANTS.length);
        await measureKind(kind, servers, own, plan);
      }
    } finally {
      for (const server of servers) await server.stop();
    }
  }
  return rows;
}

function newRow(name: string, server: string): Row {
  return { name, server, rounds: [] };
}

/** Starts a server and checks its response to each kind of message. */
function startServer(contestant: Contestant): Promise<ServerProcess> {
  return ServerProcess.startWith(contestant, TOKEN, { env: {}, checks: MESSAGE_KINDS });
}

/** Sends all servers one kind of message, so that V8 compiles what is hot. */
async function warmUp(
  { request, longer = 1 }: MessageKind,
  servers: readonly ServerProcess[],
  { quick }: Plan,
): Promise<void> {
  const seconds = longer * (quick ? WARM_UP.quick : WARM_UP.full);
  await Promise.all(servers.map((server) => sendRepeated(server.port, request, seconds)));
}

/** Adds the rounds of one kind of message. @param rows one for each server. */
async function measureKind(
  kind: MessageKind,
  servers: readonly ServerProcess[],
  rows: readonly Row[],
  plan: Plan,
): Promise<void> {
  const { request, longer = 1 } = kind;
  await warmUp(kind, servers, plan);
  const pairs = servers.map((server, index) => ({ server, rounds: rows[index]?.rounds ?? [] }));
  for (let pass = 0; pass < plan.passes; pass++) {
    for (const { server, rounds } of pairs) {
      const before = await server.processorSeconds();
      const result = await sendRepeated(server.port, request, longer * ROUND);
      rounds.push(roundOf(result, (await server.processorSeconds()) - before));
    }
    pairs.reverse();
  }
}
