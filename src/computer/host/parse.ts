import * as z from 'zod/mini';
import type { ToPage } from '#computer/abi/protocol.ts';

/** Schemas of messages from the kernel. The frame runs hostile code: anything else is ignored. */

/** Maximum characters of one request to the preview, including an uploaded file. */
const MAX_PREVIEW_REQUEST = 20_000_000;

const count = z.int().check(z.nonnegative());
const bytes = z.instanceof(Uint8Array);
const pair = z.tuple([z.string(), z.string()]);
const change = z.object({
	seq: z.int().check(z.positive()),
	path: z.string().check(z.startsWith('/')),
	kind: z.enum(['write', 'remove', 'rename', 'mode', 'symlink', 'mkdir']),
	mode: count,
	bytes: z.optional(bytes),
	to: z.optional(z.string().check(z.startsWith('/')))
});
const question = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('program'), name: z.string() }),
	z.object({ kind: z.literal('asset'), name: z.string() }),
	z.object({ kind: z.literal('preview'), request: z.string().check(z.maxLength(MAX_PREVIEW_REQUEST)) }),
	z.object({
		kind: z.literal('fetch'),
		request: z.object({
			method: z.string(),
			url: z.string(),
			headers: z.array(pair),
			body: z.nullable(bytes),
			purpose: z.string()
		})
	})
]);

const message = z.discriminatedUnion('type', [
	z.object({ type: z.literal('result'), id: count, value: z.unknown() }),
	z.object({ type: z.literal('part'), id: count, list: z.string(), items: z.array(z.unknown()) }),
	z.object({
		type: z.literal('failure'),
		id: count,
		code: z.string(),
		message: z.string(),
		path: z.optional(z.string())
	}),
	z.object({ type: z.literal('output'), pid: count, stream: z.enum(['stdout', 'stderr']), bytes }),
	z.object({ type: z.literal('started'), pid: count }),
	z.object({ type: z.literal('ended'), pid: count, code: count }),
	z.object({ type: z.literal('changes'), changes: z.array(change) }),
	z.object({
		type: z.literal('ports'),
		ports: z.array(z.object({ port: count, pid: count, command: z.string() }))
	}),
	z.object({ type: z.literal('ask'), id: count, question })
]);

/** Parses a message of the kernel; `null` if it is not one of ours. */
export function parseToPage(data: unknown): ToPage | null {
	const parsed = message.safeParse(data);
	return parsed.success ? parsed.data : null;
}
