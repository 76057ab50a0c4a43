import { Copy, DockerfileParser } from 'dockerfile-ast';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** A line of the Dockerfile: its first word and the rest, without line breaks. */
export interface Instruction {
  readonly keyword: string;
  readonly text: string;
}

/** What follows a FROM, which is its first instruction. */
export type Stage = readonly Instruction[];

/** The stages of the project's Dockerfile; the last one becomes the image. */
export async function readStages(): Promise<Stage[]> {
  const stages: Instruction[][] = [];
  for (const line of DockerfileParser.parse(await readFile(join(PROJECT, 'Dockerfile'), 'utf8')).getInstructions()) {
    const keyword = line.getKeyword();
    // Flags are no arguments.
    const from = line instanceof Copy ? (line.getFromFlag()?.toString() ?? '') : '';
    const text = `${from} ${line.getArgumentsContent() ?? ''}`.trim();
    if (keyword === 'FROM') stages.push([]);
    stages.at(-1)?.push({ keyword, text });
  }
  return stages;
}

/** What all instructions of this kind say. */
export function textsOf(stage: Stage, keyword: string): string[] {
  return stage.filter((instruction) => instruction.keyword === keyword).map(({ text }) => text);
}

/** The words of an instruction's exec form, `["node", "x"]`. @throws SyntaxError when it has a shell's form. */
export function execForm(text: string): string[] {
  // The form is defined to be an array of strings: https://docs.docker.com/reference/dockerfile/#exec-form
  return JSON.parse(text.slice(text.indexOf('['))) as string[];
}

/** The variables that a stage sets. */
export function environmentOf(stage: Stage): Record<string, string> {
  const pairs = textsOf(stage, 'ENV').flatMap((text) => text.split(' '));
  return Object.fromEntries(
    pairs.map((pair): [string, string] => [pair.replace(/=.*/s, ''), pair.replace(/.*?=/s, '')]),
  );
}

/**
 * Carries out the Dockerfile's COPY and RUN in folders, one for each stage, on this machine's system in place of the base images.
 * @param replace what is run in the place of a command.
 * @returns the last stage's working folder.
 */
export async function buildImage(folder: string, replace: (command: string) => string): Promise<string> {
  const allowed = (await readFile(join(PROJECT, '.dockerignore'), 'utf8'))
    .split('\n')
    .map((line) => line.replace(/^!/, ''));
  let place = folder;
  for (const stage of await readStages()) {
    const name = / AS (\S+)$/i.exec(stage[0]?.text ?? '')?.[1] ?? 'image';
    place = join(folder, name);
    await mkdir(place);
    for (const { keyword, text } of stage) {
      if (keyword === 'COPY') await copy(text, place);
      if (keyword === 'RUN') await run(replace(text), place, environmentOf(stage));
    }
  }
  return place;

  async function copy(text: string, to: string): Promise<void> {
    const [, stage, names = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? [];
    const sources = names.split(' ');
    const target = sources.pop() ?? '';
    for (const source of sources) {
      if (stage === undefined && !allowed.includes(source)) throw new Error(`.dockerignore leaves ${source} out.`);
      const from = stage === undefined ? join(PROJECT, source) : join(folder, stage, source.replace(/^\/app\//, ''));
      const path = join(to, target.endsWith('/') ? join(target, basename(source)) : target);
      await mkdir(dirname(path), { recursive: true });
      // From stage to stage links will do: the steps remove and add files and change none.
      await promisify(execFile)('cp', [stage === undefined ? '-R' : '-Rl', from, path]);
    }
  }
}

async function run(command: string, cwd: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const env = { ...process.env, ...variables };
  const child = spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  // The event's arguments: https://nodejs.org/api/child_process.html#event-close
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`RUN ${command} ended with ${code}:\n${errors}`);
}
