import type { Options } from '../options.ts';
import type { Reaching } from './connection.ts';

/** Options of commands that reach another repository. The page decides how it reaches a host over HTTP. */
export const FAMILY_OPTIONS = { ipv4: '-4 --ipv4', ipv6: '-6 --ipv6' };

const FAMILIES = { ipv4: '-4', ipv6: '-6' } as const;

/** Way to reach a repository, by the options and the program that is configured for the remote. */
export function reachingBy(
	options: Options<keyof typeof FAMILY_OPTIONS | 'program'>,
	configured: string | undefined
): Reaching {
	const family = options.latest('ipv4', 'ipv6');
	return { program: options.get('program') ?? configured, family: family && FAMILIES[family] };
}
