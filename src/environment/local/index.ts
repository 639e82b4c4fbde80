/** Tools on this machine, or behind a command such as `ssh` or `docker exec`, for Node. */
export { LocalExecutionEnvironment, type LocalEnvironmentOptions } from './environment.ts';
export { PrefixExecutionEnvironment, type PrefixEnvironmentOptions } from '../prefix/environment.ts';
