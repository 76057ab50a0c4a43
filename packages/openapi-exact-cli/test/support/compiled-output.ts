import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loadContract } from 'openapi-exact';
import { clientShapes, contractTypes } from 'openapi-exact-cli';
import { documentText } from 'test-support/contract-files.ts';
import { startProcess } from 'test-support/process.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript-7/bin/tsc');

/** Generates the files of a contract and compiles them with a program. @returns what tsc prints. */
export async function compiledOutput(document: object, program: string): Promise<string> {
  return inTemporaryFolder('names', async (folder) => {
    await writeFile(join(folder, 'openapi.yaml'), documentText(document));
    const contract = await loadContract(pathToFileURL(join(folder, 'openapi.yaml')));
    await writeFile(join(folder, 'openapi.d.ts'), await contractTypes(contract));
    await writeFile(join(folder, 'shapes.ts'), clientShapes(contract));
    await writeFile(join(folder, 'program.ts'), program);
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    const compilerOptions = { typeRoots: [join(ROOT, 'node_modules/@types')] };
    const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'], exclude: [] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    return (await startProcess(process.execPath, [TSC, '-p', folder, '--singleThreaded']).ended).stdout;
  });
}
