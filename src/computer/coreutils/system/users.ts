/** A user that the system knows. */
export interface User {
	name: string;
	id: number;
	group: string;
}

/** Users by name: the one that everything runs as, and those that every Linux has. */
const USERS: readonly User[] = [
	{ name: 'user', id: 1000, group: 'user' },
	{ name: 'root', id: 0, group: 'root' },
	{ name: 'nobody', id: 65_534, group: 'nogroup' }
];

/** The user of a name, or of a number behind `+` or alone. */
export function userOf(text: string): User | undefined {
	const [, digits] = /^\+?0*(\d+)$/.exec(text) ?? [];
	return USERS.find(({ name, id }) => name === text || (digits !== undefined && String(id) === digits));
}

/** Returns true if a name, or a number, is that of the user that everything runs as. */
export const isUser = (text: string): boolean => userOf(text)?.name === 'user';
