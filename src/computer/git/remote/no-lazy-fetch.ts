import { booleanOf } from '../config/values.ts';

const NAME = 'GIT_NO_LAZY_FETCH';

/** Warning of a command that would need a missing object. */
export const LAZY_FETCH_OFF = 'lazy fetching disabled; some objects may not be available';

/** Returns whether the environment forbids to fetch missing objects when they are read (git(1)). */
export const isLazyFetchOff = (env: Readonly<Record<string, string>>): boolean => booleanOf(env[NAME] ?? '') === true;

/**
 * Environment of a program that serves a repository: unless the user says otherwise, a client must not make it send
 * requests to the remotes of that repository, whose settings others may have written.
 */
export const servingEnv = (env: Readonly<Record<string, string>>): Record<string, string> => ({ [NAME]: '1', ...env });
