import { loadContract } from 'openapi-exact';

const loaded = await loadContract(new URL('../../openapi.yaml', import.meta.url));

/**
 * The contract of the project. Its operations are at the root too, where most tests call them,
 * whatever the base path of its servers.
 */
export const contract = {
  ...loaded,
  operations: loaded.operations.map((operation) => ({
    ...operation,
    basePaths: [...new Set([...operation.basePaths, ''])],
  })),
};
