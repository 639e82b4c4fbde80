import * as z from 'zod/mini';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { readStored, writeStored } from '../settings/stored.ts';

/** Author of commits. */
const Author = z.object({ name: z.string(), email: z.string() });
export type Author = z.infer<typeof Author>;

const KEY = 'sandglass.author';

/** Author that the user entered last, in any project of this browser. */
export const storedAuthor = (): Author | null => readStored(localStorage, KEY, Author);

/** Stores an author for later commits; removes it if name or address is empty. */
export function keepAuthor({ name, email }: Author): void {
	const author = { name: name.trim(), email: email.trim() };
	writeStored(localStorage, KEY, author.name === '' || author.email === '' ? null : author);
}

/** Author to propose: the last one entered, or the one in the repository's settings. Empty if there is neither. */
export async function proposedAuthor(environment: Pick<ExecutionEnvironment, 'exec'>): Promise<Author> {
	const stored = storedAuthor();
	if (stored) return stored;
	const setting = async (key: string): Promise<string> => (await environment.exec(`git config ${key}`)).stdout.trim();
	return { name: await setting('user.name'), email: await setting('user.email') };
}
