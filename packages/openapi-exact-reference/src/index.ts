export { apiReference, type ApiReference, type ApiReferenceOptions } from './api-reference.ts';
