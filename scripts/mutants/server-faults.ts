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
  ...SECURITY_FAULTS,
  ...JWT_FAULTS,
  ...REQUEST_FAULTS,
  ...RESPONSE_FAULTS,
  ...STORE_FAULTS,
  ...POSTGRES_FAULTS,
  ...OPERATOR_FAULTS,
];
