import { describe, expect, it } from 'vitest';
import { parseEntries, sessionEntry } from '#session/schema/entries.ts';
import { contentPart, message } from '#session/schema/messages.ts';

const header = { id: 'e', parentId: null, timestamp: 1 };
const usage = {
	inputTokens: 1,
	outputTokens: 2,
	reasoningTokens: 3,
	cacheReadTokens: 4,
	cacheWriteTokens: 5,
	costUsd: null
};
const opaque = { provider: 'p', model: 'm', item: { any: 1 } };
const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' };

const PARTS = [
	{ type: 'text', text: 'x' },
	image,
	{ type: 'image_url', url: 'https://x.example/a.png', mediaType: 'image/png' },
	{ type: 'audio', mediaType: 'audio/wav', data: 'AAAA' },
	{ type: 'document', mediaType: 'application/pdf', data: 'AAAA', name: 'a.pdf' },
	{ type: 'tool_call', id: 'c', name: 'Bash', arguments: { a: [1] }, rawArguments: '{', provider: opaque },
	{ type: 'tool_result', callId: 'c', toolName: 'Bash', content: 'x', images: [image], isError: true },
	{ type: 'thinking', text: 'hm', signature: 's', provider: opaque },
	{ type: 'redacted_thinking', data: 'x', provider: opaque },
	{ type: 'opaque', provider: opaque }
];
const OPTIONAL = [
	'mediaType of image_url',
	'name of document',
	'rawArguments of tool_call',
	'provider of tool_call',
	'images of tool_result',
	'signature of thinking',
	'provider of thinking',
	'provider of redacted_thinking',
	'steering of message',
	'notice of message',
	'usage of message',
	'responseId of message'
];
const ENTRIES = [
	{ type: 'session', version: 3, sessionId: 's', title: 't' },
	{
		type: 'message',
		message: { role: 'user', content: PARTS },
		steering: true,
		notice: false,
		usage,
		responseId: 'r'
	},
	{ type: 'event', event: { sessionId: 's', seq: 1, timestamp: 1, type: 'notice', message: 'x' } },
	{ type: 'compaction', summary: 's', firstKeptId: 'e', beforeTokens: 2, afterTokens: 1 },
	{ type: 'model_change', provider: 'p', model: 'm' },
	{ type: 'checkpoint', checkpointId: 'c', tree: 't', label: 'l' },
	{ type: 'todo_list', items: [{ content: 'x', status: 'pending' }] },
	{ type: 'settings', images: { block: true, maxBytes: 1 } },
	{ type: 'branch_summary', summary: 's', fromId: 'e' },
	{ type: 'label', targetId: 'e', label: 'l' }
].map((body) => ({ ...header, ...body }));

/** Names of the optional fields; checks that no field accepts nonsense. */
function needless(schema: typeof contentPart | typeof sessionEntry, value: Record<string, unknown>): string[] {
	return Object.keys(value).filter((field) => {
		const { [field]: _, ...without } = value;
		// An opaque item is the provider's own: anything is valid.
		expect([field, schema.safeParse({ ...without, [field]: Symbol('no JSON') }).success]).toEqual([field, false]);
		return schema.safeParse(without).success;
	});
}

describe('an entry of a session', () => {
	it.each(ENTRIES.map((entry) => [entry.type, entry] as const))(
		'of type %s is read as it was stored',
		(type, entry) => {
			expect(sessionEntry.parse({ ...entry, unknown: 1 })).toEqual(entry);
			const optional = OPTIONAL.filter((each) => each.endsWith(` of ${type}`)).map((each) => each.split(' ')[0]);
			expect(needless(sessionEntry, entry).sort()).toEqual(optional.sort());
		}
	);

	it('has an id, and settings that can be', () => {
		const [first] = ENTRIES;
		expect(sessionEntry.safeParse({ ...first, id: '' }).success).toBe(false);
		expect(sessionEntry.safeParse({ ...header, type: 'settings', images: {} }).success).toBe(true);
		for (const maxBytes of [0, -1])
			expect(sessionEntry.safeParse({ ...header, type: 'settings', images: { maxBytes } }).success).toBe(false);
	});

	it('that makes no sense is left out and named by its place', () => {
		const [first, second] = ENTRIES;
		const { entries, warnings } = parseEntries([first, { ...second, message: 1 }, second]);
		expect(entries).toEqual([first, second]);
		expect(warnings).toEqual(['Entry 2 of the session makes no sense and was left out.']);
	});
});

describe('a part of a message', () => {
	it.each(PARTS.map((part) => [part.type, part] as const))('of type %s is read as it was stored', (type, part) => {
		expect(contentPart.parse({ ...part, unknown: 1 })).toEqual(part);
		const optional = OPTIONAL.filter((each) => each.endsWith(` of ${type}`)).map((each) => each.split(' ')[0]);
		expect(needless(contentPart, part).sort()).toEqual(optional.sort());
	});

	it('stands in a message of a role that there is', () => {
		for (const role of ['system', 'developer', 'user', 'assistant', 'tool'])
			expect(message.parse({ role, content: [] })).toEqual({ role, content: [] });
		for (const role of ['', 'function', null]) expect(message.safeParse({ role, content: [] }).success).toBe(false);
		expect(contentPart.safeParse({ type: 'opaque', provider: { provider: 'p' } }).success).toBe(false);
	});
});
