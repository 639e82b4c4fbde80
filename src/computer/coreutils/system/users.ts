/** User known to the system. */
export interface User {
	name: string;
	id: number;
	group: string;
}

/** Users by name: the one that runs everything, and the standard ones of Linux. */
const USERS: readonly User[] = [
	{ name: 'user', id: 1000, group: 'user' },
	{ name: 'root', id: 0, group: 'root' },
	{ name: 'nobody', id: 65_534, group: 'nogroup' }
];

/** User with a name, or with a number, optionally after `+`. */
export function userOf(text: string): User | undefined {
	const [, digits] = /^\+?0*(\d+)$/.exec(text) ?? [];
	return USERS.find(({ name, id }) => name === text || (digits !== undefined && String(id) === digits));
}

/** Returns whether a name or number is that of the user that runs everything. */
export const isUser = (text: string): boolean => userOf(text)?.name === 'user';
