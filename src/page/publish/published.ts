import * as z from 'zod/mini';
import type { StoredSession } from '#session/contract.ts';

const KEY = 'published';

/** A branch that was pushed from this session; the next push continues it. */
const Published = z.object({
	url: z.string(),
	branch: z.string(),
	target: z.string(),
	/** Files as pushed: a checkpoint's tree. */
	tree: z.string(),
	/** Link to its pull request. */
	link: z.nullable(z.string())
});
export type Published = z.infer<typeof Published>;

export async function publishedBefore(stored: StoredSession): Promise<Published | null> {
	const kept = z.safeParse(Published, await stored.readPageState<unknown>(KEY));
	return kept.success ? kept.data : null;
}

export function keepPublished(stored: StoredSession, published: Published): Promise<void> {
	return stored.writePageState(KEY, published);
}
