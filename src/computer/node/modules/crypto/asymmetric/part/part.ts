/** Parts of `node:crypto` for asymmetric keys and certificates, loaded on first use. */
export * from './curves.ts';
export * as der from './der.ts';
export * from './dsa.ts';
export * from './encoding.ts';
export * from './rsa.ts';
export * from './encryption-parameters.ts';
export * from './certificate.ts';
export { KeyDataError } from './key-data-error.ts';
