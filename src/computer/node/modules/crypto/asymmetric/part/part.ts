/** Parts of `node:crypto` for keys of pairs and certificates, loaded on the first use of one. */
export * from './curves.ts';
export * as der from './der.ts';
export * from './dsa.ts';
export * from './encoding.ts';
export * from './rsa.ts';
export * from './encryption-parameters.ts';
export * from './certificate.ts';
export { KeyDataError } from './key-data-error.ts';
