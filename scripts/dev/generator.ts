import { fileURLToPath } from 'node:url';
import { WarmScript } from './warm-script.ts';

const [GENERATE = '', CHECKS = ''] = ['generate', 'checks/contract'].map((name) =>
  fileURLToPath(new URL(`../${name}.ts`, import.meta.url)),
);

/** Runs scripts/generate.ts in a process that has loaded the linter and the compiler already. */
export class Generator {
  #version: string;
  #script = warmScript();

  /** @param version of the code that it runs, such as when that was edited. */
  constructor(version: string) {
    this.#version = version;
  }

  /** @param version starts it anew when it differs. @returns whether it succeeded. */
  async generate(version: string): Promise<boolean> {
    if (version !== this.#version || !this.#script.isRunning) {
      this.#script.stop();
      this.#script = warmScript();
      this.#version = version;
    }
    const { succeeded, stdout, stderr } = await this.#script.run([]);
    process.stderr.write(stderr);
    process.stdout.write(stdout);
    return succeeded;
  }
}

function warmScript(): WarmScript {
  return new WarmScript(GENERATE, [CHECKS, 'openapi-exact', 'typescript']);
}
