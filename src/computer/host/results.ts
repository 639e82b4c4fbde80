import * as z from 'zod/mini';
import type { Operation, Operations } from '#computer/abi/protocol.ts';

const count = z.int().check(z.nonnegative());
const bytes = z.instanceof(Uint8Array);
const nothing = z.null();
const stat = {
	kind: z.enum(['file', 'directory', 'symlink']),
	size: count,
	mode: count,
	modifiedMs: z.number()
};

const effects = z.array(
	z.object({ path: z.string().check(z.startsWith('/')), kind: z.enum(['added', 'modified', 'removed']) })
);

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
	startTrial: count,
	trialEffects: z.object({
		files: effects,
		hosts: z.array(z.string()),
		servers: z.array(count),
		signals: z.array(z.object({ pid: count, signal: z.string(), command: z.string() })),
		leftRunning: z.array(z.string()),
		unnamed: z.boolean()
	}),
	readTrial: bytes,
	applyTrial: z.object({ merged: effects, conflicts: effects }),
	endTrial: nothing,
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
	endProcesses: nothing,
	close: nothing
} satisfies { [Name in Operation]: z.ZodMiniType<Operations[Name]['result']> };

/** Empty results for lists that arrive in parts. */
const empty = {
	list: [],
	glob: [],
	snapshot: { id: '', since: '', entries: [], removed: [] },
	trialEffects: { files: [], hosts: [], servers: [], signals: [], leftRunning: [], unnamed: false },
	applyTrial: { merged: [], conflicts: [] }
} satisfies { [Name in Operation]?: Operations[Name]['result'] };

/** Parses a part of the kernel's answer to `operation` as an answer of its own. @throws Error if it is invalid */
export function parsePart<Name extends Operation>(
	operation: Name,
	list: string,
	items: unknown[]
): Operations[Name]['result'] {
	const nothing: unknown = new Map<string, unknown>(Object.entries(empty)).get(operation);
	const isWhole = list === '' && Array.isArray(nothing);
	if (!isWhole && !(typeof nothing === 'object' && nothing !== null && Object.hasOwn(nothing, list)))
		throw new Error(`the answer to ${operation} has no list ${JSON.stringify(list)}`);
	return parseResult(operation, isWhole ? items : { ...nothing, [list]: items });
}

type Join<Name extends Operation> = (parts: Operations[Name]['result'][]) => Operations[Name]['result'];
const joins: { [Name in Operation]?: Join<Name> } = {
	list: (parts) => parts.flat(),
	glob: (parts) => parts.flat(),
	snapshot: (parts) => ({
		...empty.snapshot,
		...parts.at(-1),
		entries: parts.flatMap(({ entries }) => entries),
		removed: parts.flatMap(({ removed }) => removed)
	}),
	trialEffects: (parts) => ({
		...empty.trialEffects,
		...parts.at(-1),
		files: parts.flatMap(({ files }) => files),
		leftRunning: parts.flatMap(({ leftRunning }) => leftRunning)
	}),
	applyTrial: (parts) => ({
		merged: parts.flatMap(({ merged }) => merged),
		conflicts: parts.flatMap(({ conflicts }) => conflicts)
	})
};

/** Joins an answer from its `parts`, the last of which is its end. */
export function joinParts<Name extends Operation>(
	operation: Name,
	parts: Operations[Name]['result'][],
	end: Operations[Name]['result']
): Operations[Name]['result'] {
	const join: Join<Name> | undefined = joins[operation];
	return parts.length > 1 && join ? join(parts) : end;
}

/** Parses the kernel's answer to `operation`. @throws ZodError if it is invalid */
export function parseResult<Name extends Operation>(operation: Name, value: unknown): Operations[Name]['result'] {
	const schema: z.ZodMiniType<Operations[Name]['result']> = results[operation];
	return schema.parse(value);
}
