/**
 * Environments that run tools: the contract, and wrappers for any implementation of it. The one for Node is in
 * `./local`.
 */
export type * from './contract.ts';
export { ALL_RIGHTS, READ_ONLY_RIGHTS } from './contract.ts';
export { EnvironmentError, isEnvironmentError, type ErrorCode } from './errors.ts';
export { DelegatingEnvironment } from './wrappers/delegating.ts';
export { LoggingExecutionEnvironment } from './wrappers/logging.ts';
export { ReadOnlyExecutionEnvironment } from './wrappers/read-only.ts';
