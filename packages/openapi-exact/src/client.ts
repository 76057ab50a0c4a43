export * from './client/create-client.ts';
