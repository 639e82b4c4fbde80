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
	forgetBlobs: nothing,
	settled: nothing,
	connectLoopback: z.instanceof(MessagePort),
	overlay: z.instanceof(MessagePort),
	close: nothing
} satisfies { [Name in Operation]: z.ZodMiniType<Operations[Name]['result']> };

/** What has lists that may arrive in parts, without any. */
const empty: { [Name in Operation]?: Operations[Name]['result'] } = {
	list: [],
	glob: [],
	snapshot: { id: '', since: '', entries: [], removed: [] }
};

/** A part of what the kernel answers to `operation`, as an answer of its own. @throws Error when it is something else */
export function parsePart<Name extends Operation>(
	operation: Name,
	list: string,
	items: unknown[]
): Operations[Name]['result'] {
	const nothing: unknown = empty[operation];
	const isWhole = list === '' && Array.isArray(nothing);
	if (!isWhole && !(typeof nothing === 'object' && nothing !== null && Object.hasOwn(nothing, list)))
		throw new Error(`the answer to ${operation} has no list ${JSON.stringify(list)}`);
	return parseResult(operation, isWhole ? items : { ...nothing, [list]: items });
}

/** An answer with the lists of its parts in front of its own. */
export function joinParts(parts: readonly unknown[], end: unknown): unknown {
	if (parts.length === 0) return end;
	const all = [...parts, end];
	if (Array.isArray(end)) return all.flat();
	if (typeof end !== 'object' || end === null) return end;
	const named = (part: unknown, name: string): unknown =>
		typeof part === 'object' && part !== null ? Object.entries(part).find(([key]) => key === name)?.[1] : undefined;
	return Object.fromEntries(
		Object.entries(end).map(([name, value]) => [
			name,
			Array.isArray(value) ? all.flatMap((part) => named(part, name) ?? []) : value
		])
	);
}

/** What the kernel answered to `operation`. @throws ZodError when it is something else */
export function parseResult<Name extends Operation>(operation: Name, value: unknown): Operations[Name]['result'] {
	const schema: z.ZodMiniType<Operations[Name]['result']> = results[operation];
	return schema.parse(value);
}
