import { documentText } from 'test-support/contract-files.ts';
import type { CompiledCase } from '../support/compile-cases.ts';

const responses = { 204: { description: 'Done.' } };
const operation = (operationId: string, security?: readonly object[]): object => ({
  post: { operationId, responses, ...(security && { security }) },
});

const DOCUMENT = {
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' }, key: { type: 'apiKey', in: 'header', name: 'Key' } },
  },
  security: [{ token: [] }],
  paths: {
    '/inherited': operation('inherited'),
    '/both': operation('both', [{ token: [], key: [] }]),
    '/either': operation('either', [{ token: [] }, { key: [] }]),
    '/optional': operation('optional', [{ token: [] }, {}]),
    '/public': operation('public', []),
  },
};

const program = `import type { Handlers, Verifiers } from 'openapi-exact';
import type { operations, securitySchemes } from './openapi.d.ts';

interface User { readonly name: string; readonly tenant: bigint }
const tenantOf = ({ tenant }: User): { status: 204 } => { void tenant; return { status: 204 }; };

export const verifiers: Verifiers<securitySchemes, User> = {
  token: async (token) => (token === 'a' ? { name: 'a', tenant: 1n } : undefined),
  key: () => ({ name: 'b', tenant: 2n }),
};
export const handlers: Handlers<operations, User> = {
  inherited: ({ principal }) => tenantOf(principal),
  both: ({ principal }) => tenantOf(principal),
  either: ({ principal }) => tenantOf(principal),
  // @ts-expect-error an anonymous request
  optional: ({ principal }) => tenantOf(principal),
  // @ts-expect-error no client is authenticated
  public: ({ principal }) => tenantOf(principal),
};
`;

export const SECURITY: CompiledCase = { contract: documentText(DOCUMENT), program };
