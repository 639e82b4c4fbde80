import * as z from 'zod/mini';
import type { Operation, Operations, ToKernel } from '#computer/abi/protocol.ts';

/** Schemas of requests from the page. The kernel ignores anything else. */

const path = z.string().check(z.regex(/^\/[^\0]*$/));
const bytes = z.instanceof(Uint8Array);
const count = z.int().check(z.nonnegative());
const size = z.object({ columns: count, rows: count });
const relativeTree = z.array(z.tuple([z.string(), count, z.string()]));

const rights = z.object({
	write: z.union([z.literal('all'), z.array(path)]),
	network: z.union([z.literal('all'), z.array(z.string())]),
	signal: z.enum(['all', 'own'])
});
const startOptions = z.object({
	argv: z.optional(z.array(z.string()).check(z.minLength(1))),
	cwd: path,
	env: z.record(z.string(), z.string()),
	stdin: z.optional(z.union([bytes, z.literal('open')])),
	rights: z.optional(rights),
	takesTemporaryFiles: z.optional(z.boolean()),
	terminal: z.optional(size)
});

const args = {
	ping: z.tuple([]),
	readBytes: z.tuple([path]),
	writeFile: z.tuple([path, bytes]),
	stat: z.tuple([path]),
	list: z.tuple([path, count]),
	remove: z.tuple([path, z.boolean()]),
	rename: z.tuple([path, path]),
	makeDirectory: z.tuple([path]),
	readLink: z.tuple([path]),
	symlink: z.tuple([z.string(), path]),
	setMode: z.tuple([path, count]),
	load: z.tuple([z.array(z.object({ path: z.string(), mode: count, bytes })), path, z.boolean()]),
	glob: z.tuple([z.string(), path]),
	start: z.tuple([startOptions]),
	startTrial: z.tuple([startOptions, rights]),
	trialEffects: z.tuple([count]),
	readTrial: z.tuple([count, path, z.enum(['before', 'after'])]),
	applyTrial: z.tuple([count]),
	endTrial: z.tuple([count]),
	write: z.tuple([count, bytes]),
	closeInput: z.tuple([count]),
	kill: z.tuple([count, z.enum(['SIGINT', 'SIGTERM', 'SIGKILL', 'SIGHUP'])]),
	resize: z.tuple([count, size]),
	snapshot: z.tuple([z.string()]),
	restore: z.tuple([relativeTree, z.boolean()]),
	readBlob: z.tuple([z.string()]),
	putBlobs: z.tuple([z.array(bytes)]),
	forgetBlobs: z.tuple([z.array(z.string())]),
	settled: z.tuple([]),
	connectLoopback: z.tuple([count]),
	overlay: z.tuple([]),
	endProcesses: z.tuple([]),
	close: z.tuple([])
} satisfies { [Name in Operation]: z.ZodMiniType<Operations[Name]['args']> };

const response = z.object({
	status: count,
	statusText: z.string(),
	headers: z.array(z.tuple([z.string(), z.string()])),
	url: z.string(),
	body: bytes
});

const message = z.discriminatedUnion('type', [
	z.object({ type: z.literal('request'), id: count, operation: z.string(), args: z.array(z.unknown()) }),
	z.object({ type: z.literal('taken'), pid: count, stream: z.enum(['stdout', 'stderr']), bytes: count }),
	z.object({ type: z.literal('changesTaken') }),
	z.object({ type: z.literal('answer'), id: count, value: z.union([bytes, z.string(), response]) }),
	z.object({ type: z.literal('refusal'), id: count, code: z.string(), message: z.string() })
]);

/** Parses a message of the page; `null` if it is not one of ours. */
export function parseToKernel(data: unknown): ToKernel | null {
	const parsed = message.safeParse(data);
	if (!parsed.success) return null;
	if (parsed.data.type !== 'request') return parsed.data;
	const { operation } = parsed.data;
	return isOperation(operation) ? { ...parsed.data, operation } : null;
}

/** @throws ZodError if the arguments do not match `operation` */
export function parseArguments<Name extends Operation>(operation: Name, given: unknown[]): Operations[Name]['args'] {
	const schema: z.ZodMiniType<Operations[Name]['args']> = args[operation];
	return schema.parse(given);
}

function isOperation(name: string): name is Operation {
	return Object.hasOwn(args, name);
}
