import { invalidArgument, nodeError, systemError } from './errors.ts';

/** Id of the only user, who is not an administrator. */
const OWN_ID = 1000;

/** Sets an id by number or name. @throws ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_CREDENTIAL; EPERM for any other id */
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

/** Functions of `process` that change its user and group. */
export const credentialSetters = {
	setuid: setter('setuid', 'User'),
	seteuid: setter('seteuid', 'User'),
	setgid: setter('setgid', 'Group'),
	setegid: setter('setegid', 'Group'),
	/** @throws ERR_INVALID_ARG_TYPE; EPERM, which only an administrator does not get */
	setgroups(groups: unknown): never {
		if (!Array.isArray(groups)) throw invalidArgument('groups', 'an instance of Array', groups);
		throw systemError('EPERM', 'setgroups');
	},
	/** @throws ERR_INVALID_ARG_TYPE; EPERM, which only an administrator does not get */
	initgroups(user: unknown, extraGroup: unknown): never {
		for (const [name, id] of Object.entries({ user, extraGroup })) {
			if (typeof id !== 'number' && typeof id !== 'string') {
				throw invalidArgument(name, 'one of type number or string', id);
			}
		}
		throw systemError('EPERM', 'initgroups');
	}
};
