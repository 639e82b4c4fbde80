import { invalidArgument, nodeError, systemError } from './errors.ts';

/** The only user there is, who is no administrator. */
const OWN_ID = 1000;

/** Sets an id by number or name. @throws ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_CREDENTIAL; EPERM for another's */
const setter =
	(syscall: string, kind: 'User' | 'Group') =>
	(id: unknown): void => {
		if (typeof id === 'string') {
			if (id !== 'user') {
				throw nodeError(Error, 'ERR_UNKNOWN_CREDENTIAL', `${kind} identifier does not exist: ${id}`);
			}
		} else if (typeof id !== 'number') throw invalidArgument('id', 'one of type number or string', id);
		else if (id !== OWN_ID) throw systemError('EPERM', syscall);
	};

/** Calls of `process` that change whose it is. */
export const credentialSetters = {
	setuid: setter('setuid', 'User'),
	seteuid: setter('seteuid', 'User'),
	setgid: setter('setgid', 'Group'),
	setegid: setter('setegid', 'Group')
};
