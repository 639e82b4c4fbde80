import * as z from 'zod/mini';

const nanoseconds = z.pipe(
	z.string().check(z.regex(/^-?\d+$/)),
	z.transform((text: string) => BigInt(text))
);

/** Data of a file from the container. */
export const Entry = z.object({
	kind: z.enum(['file', 'directory', 'symlink']),
	mode: z.number(),
	size: z.number(),
	inode: nanoseconds,
	modifiedNs: nanoseconds,
	changedNs: nanoseconds
});

export const Entries = z.array(z.tuple([z.string(), Entry]));

export const Found = z.object({ real: z.string(), entry: Entry });

/** A path that was created or changed, with the current state of its parents. */
export const Changed = z.object({ real: z.string(), after: Entries });

export const Placed = z.array(Changed);

export const Made = z.object({ real: z.string(), isNew: z.boolean(), after: Entries });

export const Renamed = z.object({ real: z.string(), to: z.string(), entry: Entry, after: Entries });
