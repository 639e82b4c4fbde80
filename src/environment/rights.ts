import type { Rights } from './contract.ts';
import { EnvironmentError } from './errors.ts';

/** Returns true if these rights are limited. */
export const isLessThanAll = ({ write, network, signal }: Rights): boolean =>
	write !== 'all' || network !== 'all' || signal !== 'all';

/**
 * Refuses rights that nothing here would enforce.
 *
 * @throws EnvironmentError `EUNAVAILABLE`
 */
export function requireAllRights(rights: Rights | undefined): void {
	if (rights !== undefined && isLessThanAll(rights))
		throw new EnvironmentError('EUNAVAILABLE', 'Nothing here can hold a command to less than all rights.');
}
