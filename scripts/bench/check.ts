import type { Context } from './context.ts';
import { RIVALS, type Contestant } from './contestants.ts';
import { cli } from './database.ts';
import { sendDelete } from './send.ts';
import { startServer, type ServerProcess } from './server-process.ts';

/** What a contestant must answer before it is timed. @throws Error when it does not. */
export async function checkAnswers(contestant: Contestant, server: ServerProcess): Promise<void> {
  const { port, token } = server;
  const expected: (readonly [status: number, token: string, id: string])[] = [[204, token, '1']];
  if (contestant.contract) expected.push([401, 'not-a-token', '2'], [400, token, 'abc']);
  for (const [status, presented, id] of expected) {
    const got = await sendDelete(port, presented, id).catch(String);
    if (got === status) continue;
    throw new Error(`${contestant.name} answered '${got}' where ${status} is right.\n${await server.lastLog()}`);
  }
}

const NEIGHBOURS = [9007199254740991n, 9007199254740992n, 9007199254740993n, 9007199254740994n];
const TARGET = 9007199254740993n;

/** What happened when a server was asked to delete 9007199254740993, which no JavaScript number can hold. */
export interface Probe {
  readonly name: string;
  /** 'refused': a valid id was not served, but no other plant was deleted. */
  readonly verdict: 'right' | 'refused' | 'WRONG';
  readonly happened: string;
}

/** Asks ours and each rival to delete 9007199254740993 from among its neighbours. */
export async function probeNeighbours(context: Context, ours: Contestant): Promise<Probe[]> {
  const probes: Probe[] = [];
  for (const contestant of [ours, ...RIVALS]) {
    const database = await context.databases.fresh(0);
    await cli(database.url, ['plants', 'import', await context.databases.idFile('neighbours.txt', NEIGHBOURS)]);
    const server = await startServer(contestant, database, context.node);
    const status = await sendDelete(server.port, server.token, String(TARGET));
    await server.stop();
    const left = (await cli(database.url, ['plants', 'export'])).trim().split('\n');
    const gone = NEIGHBOURS.filter((id) => !left.includes(String(id)));
    probes.push({
      name: contestant.name,
      verdict: gone.length === 0 ? 'refused' : gone.length === 1 && gone[0] === TARGET ? 'right' : 'WRONG',
      happened: `answered ${status}, deleted ${gone.length === 0 ? 'nothing' : gone.join(', ')}`,
    });
  }
  return probes;
}
