import { cp, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMap, parseDocument } from 'yaml';
import { faultIn, readFaults } from './by-hand.ts';
import { codeEdits } from './code-edits.ts';
import { mutantsOf, type Mutant } from './mutant.ts';

const OPERATIONS = fileURLToPath(new URL('operations/', import.meta.url));
const NOTICED_BY = ['test/contract/operations.test.ts'];
const CODE = ['src/plants/handlers.ts', 'src/stores/priced-plants.ts'];

/**
 * The delivered files whose exports the six operations extend, and where they are put. Types are
 * not checked in such a copy, since the delivered handlers alone lack the operations.
 */
const EXTENDED = [
  ['src/plants/handlers.ts', 'src/plants/delivered-handlers.ts'],
  ['src/stores/migrations.ts', 'src/stores/delivered-migrations.ts'],
] as const;

/** Statuses that follow from what every operation, or every one with a body, has. */
const OF_ALL = ['BadRequest', 'Unauthorized', 'Forbidden', 'PreconditionFailed', 'MisdirectedRequest']
  .concat('TooManyRequests', 'InternalServerError', 'ServiceUnavailable')
  .map((name, index) => [[400, 401, 403, 412, 421, 429, 500, 503][index], name] as const);
const OF_BODIES = [
  [413, 'ContentTooLarge'],
  [415, 'UnsupportedMediaType'],
] as const;

/**
 * The mutants of six operations that create, get, list and update plants and labels: only the tests
 * that follow from the contract can notice them.
 */
export async function operationMutants(): Promise<Mutant[]> {
  const room = { room: 'operations', noticedBy: NOTICED_BY };
  const made = CODE.map(async (file) => {
    const text = await readFile(join(OPERATIONS, file), 'utf8');
    return mutantsOf({ ...room, file }, text, codeEdits(text));
  });
  const faults = (await readFaults('operations/faults.txt')).map(async (fault) => {
    const text = await readFile(join(OPERATIONS, fault.file), 'utf8');
    return faultIn(text, { ...fault, noticedBy: NOTICED_BY }, room.room);
  });
  return [...(await Promise.all(made)).flat(), ...(await Promise.all(faults))];
}

/** Adds the operations to a copy of the project. What is generated must be generated again. */
export async function addOperations(folder: string): Promise<void> {
  for (const [from, to] of EXTENDED) await rename(join(folder, from), join(folder, to));
  await cp(join(OPERATIONS, 'src'), join(folder, 'src'), { recursive: true });
  const file = join(folder, 'openapi.yaml');
  await writeFile(
    file,
    extended(await readFile(file, 'utf8'), await readFile(join(OPERATIONS, 'openapi.yaml'), 'utf8')),
  );
}

/** The contract with the paths and schemas of another document. */
function extended(text: string, addition: string): string {
  const [contract, added] = [parseDocument(text), parseDocument(addition)];
  for (const [path, methods] of entriesAt(added.get('paths'))) {
    for (const [method, operation] of entriesAt(methods)) {
      contract.setIn(['paths', path, method], operation);
      const hasBody = contract.hasIn(['paths', path, method, 'requestBody']);
      for (const [status, name] of [...OF_ALL, ...(hasBody ? OF_BODIES : [])]) {
        const place = ['paths', path, method, 'responses', String(status)];
        contract.setIn(place, { $ref: `#/components/responses/${name}` });
      }
    }
  }
  for (const [name, schema] of entriesAt(added.getIn(['components', 'schemas'])))
    contract.setIn(['components', 'schemas', name], schema);
  return contract.toString({ lineWidth: 0 });
}

function entriesAt(node: unknown): [string, unknown][] {
  return isMap(node) ? node.items.map(({ key, value }) => [String(key), value]) : [];
}
