import { spawn } from 'node:child_process';

/** Runs a program of this project's dependencies; its output is shown in one piece, when it fails. @returns whether it succeeded. */
export function check(name: string, program: string, ...args: string[]): Promise<boolean> {
  return run(name, 'npx', '--no-install', program, ...args);
}

/** Runs a script of package.json in the same way. */
export function checkScript(name: 'build' | 'types'): Promise<boolean> {
  return run(name, 'npm', 'run', name);
}

/** Runs npm itself in the same way. */
export function checkNpm(name: string, ...args: string[]): Promise<boolean> {
  return run(name, 'npm', ...args);
}

function run(name: string, command: string, ...args: string[]): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('close', (code) => {
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}`);
      if (code !== 0) console.error(output);
      done(code === 0);
    });
  });
}
