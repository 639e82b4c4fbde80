/** A user known to the system. */
export interface User {
	name: string;
	id: number;
	group: string;
}

/** Users by name: the one that everything runs as, and those of every Linux system. */
const USERS: readonly User[] = [
	{ name: 'user', id: 1000, group: 'user' },
	{ name: 'root', id: 0, group: 'root' },
	{ name: 'nobody', id: 65_534, group: 'nogroup' }
];

/** Finds a user by name, or by number with or without `+`. */
export function userOf(text: string): User | undefined {
	const [, digits] = /^\+?0*(\d+)$/.exec(text) ?? [];
	return USERS.find(({ name, id }) => name === text || (digits !== undefined && String(id) === digits));
}

/** Returns true if a name or number is that of the user that everything runs as. */
export const isUser = (text: string): boolean => userOf(text)?.name === 'user';
