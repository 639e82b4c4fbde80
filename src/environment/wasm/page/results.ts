import * as z from 'zod/mini';
import type { Operation, Operations } from '../protocol.ts';

const count = z.int().check(z.nonnegative());
const bytes = z.instanceof(Uint8Array);
const nothing = z.null();
const stat = {
	kind: z.enum(['file', 'directory', 'symlink']),
	size: count,
	mode: count,
	modifiedMs: z.number()
};

const results = {
	ping: nothing,
	readBytes: bytes,
	writeFile: nothing,
	stat: z.object(stat),
	list: z.array(z.object({ ...stat, path: z.string() })),
	remove: nothing,
	rename: nothing,
	makeDirectory: nothing,
	readLink: z.string(),
	symlink: nothing,
	setMode: nothing,
	load: nothing,
	glob: z.array(z.string()),
	start: count,
	write: nothing,
	closeInput: nothing,
	kill: nothing,
	resize: nothing,
	snapshot: z.object({
		id: z.string(),
		since: z.string(),
		entries: z.array(z.tuple([z.string(), count, z.string()])),
		removed: z.array(z.string())
	}),
	restore: nothing,
	readBlob: bytes,
	putBlobs: nothing,
	settled: nothing,
	connectLoopback: z.instanceof(MessagePort),
	overlay: z.instanceof(MessagePort),
	close: nothing
} satisfies { [Name in Operation]: z.ZodMiniType<Operations[Name]['result']> };

/** What the kernel answered to `operation`. @throws ZodError when it is something else */
export function parseResult<Name extends Operation>(operation: Name, value: unknown): Operations[Name]['result'] {
	const schema: z.ZodMiniType<Operations[Name]['result']> = results[operation];
	return schema.parse(value);
}
