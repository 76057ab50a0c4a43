import type { Fault } from './fault.ts';
import { JWT_FAULTS } from './jwt-faults.ts';
import { OPERATOR_FAULTS } from './operator-faults.ts';
import { POSTGRES_FAULTS } from './postgres-faults.ts';
import { REQUEST_FAULTS } from './request-faults.ts';
import { RESPONSE_FAULTS } from './response-faults.ts';
import { SECURITY_FAULTS } from './security-faults.ts';
import { STORE_FAULTS } from './store-faults.ts';

/** All faults of the server. */
export const SERVER_FAULTS: readonly Fault[] = [
  {
    name: 'connections are accepted one in a turn that is full of work',
    file: 'src/end-of-turn.ts',
    from: 'accepted = true;',
    to: '',
    tests: ['test/end-of-turn.test.ts'],
  },
  {
    name: 'requests wait for as long as connections come',
    file: 'src/end-of-turn.ts',
    from: 'if (now - putOffSince < LONGEST) return true;',
    to: 'if (now - putOffSince < LONGEST || now) return true;',
    tests: ['test/end-of-turn.test.ts'],
  },
  ...SECURITY_FAULTS,
  ...JWT_FAULTS,
  ...REQUEST_FAULTS,
  ...RESPONSE_FAULTS,
  ...STORE_FAULTS,
  ...POSTGRES_FAULTS,
  ...OPERATOR_FAULTS,
];
