import type { Config } from '../config/config.ts';
import { booleanOf } from '../config/values.ts';
import { fatal } from '../errors.ts';

type Policy = 'always' | 'user' | 'never';

/** Transports whose policy is not `user` by default. */
const DEFAULTS: Readonly<Record<string, Policy>> = {
	...{ http: 'always', https: 'always', git: 'always', ssh: 'always' },
	ext: 'never'
};

/** Addresses from a repository, such as those of submodules, are not the user's: for `GIT_PROTOCOL_FROM_USER`. */
export const NOT_FROM_USER = { GIT_PROTOCOL_FROM_USER: '0' };

/**
 * Rejects a transport that `GIT_ALLOW_PROTOCOL` or else `protocol.<name>.allow` and `protocol.allow` do not allow.
 *
 * @param name as in addresses, or `file` for paths
 * @throws GitError if it is not allowed, or if the setting is invalid
 */
export function requireAllowed(config: Config, env: Readonly<Record<string, string>>, name: string): void {
	const listed = env['GIT_ALLOW_PROTOCOL'];
	if (!(listed === undefined ? isAllowed(config, env, name) : listed.split(':').includes(name)))
		throw fatal(`transport '${name}' not allowed`);
}

function isAllowed(config: Config, env: Readonly<Record<string, string>>, name: string): boolean {
	const policy = configured(config, `protocol.${name}.allow`) ?? configured(config, 'protocol.allow');
	switch (policy ?? DEFAULTS[name] ?? 'user') {
		case 'always':
			return true;
		case 'never':
			return false;
		case 'user':
			return isFromUser(env['GIT_PROTOCOL_FROM_USER']);
	}
}

function configured(config: Config, key: string): Policy | null {
	const value = config.get(key);
	if (value === undefined) return null;
	const word = value.toLowerCase();
	if (word === 'always' || word === 'user' || word === 'never') return word;
	throw fatal(`unknown value for config '${key}': ${value}`);
}

function isFromUser(value: string | undefined): boolean {
	if (value === undefined) return true;
	const flag = booleanOf(value);
	if (flag === null) throw fatal(`bad boolean environment value '${value}' for 'GIT_PROTOCOL_FROM_USER'`);
	return flag;
}
