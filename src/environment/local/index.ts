/** Tools on this machine, for Node. */
export { LocalExecutionEnvironment, type LocalEnvironmentOptions } from './environment.ts';
