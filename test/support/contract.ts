import { loadContract } from '../../src/contract/document/load.ts';

/** The contract of the project. */
export const contract = await loadContract(new URL('../../openapi.yaml', import.meta.url));
