import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '#agent/events.ts';
import type { SessionEntry } from '#agent/session-log.ts';
import type { ContentPart, Message } from '#llm/types.ts';
import {
	disclosedKind,
	disclosureCode,
	passagesOf,
	passagesOfEntry,
	shownBy,
	todoText,
	type PassageKind
} from '#session/share/passages.ts';
import { eventBody, openCrafted } from './crafted.ts';

const event = (fields: object): SessionEvent => ({ sessionId: 's', seq: 1, timestamp: 0, ...fields }) as SessionEvent;
const entry = (fields: object): SessionEntry => ({ id: 'e', parentId: null, timestamp: 0, ...fields }) as SessionEntry;
const said = (role: Message['role'], ...content: ContentPart[]): Message => ({ role, content });

const text: ContentPart = { type: 'text', text: 'Hello' };
// 4,096 characters of base64 are 3 KB.
const picture = { type: 'image', mediaType: 'image/png', data: 'A'.repeat(4_096) } as const;
const call: ContentPart = { type: 'tool_call', id: 'c', name: 'Bash', arguments: { command: 'ls' } };
const todos = [
	{ content: 'Mend it', status: 'in_progress' as const },
	{ content: 'Test it', status: 'pending' as const }
];
const LIST = '- [in_progress] Mend it\n- [pending] Test it';

describe('what the model reads of a message', () => {
	it('is each part by its role, pictures by type and size', () => {
		expect(passagesOf(said('user', text, picture))).toEqual([
			{ kind: 'user', text: 'Hello' },
			{ kind: 'picture', text: 'image/png, 3 KB', picture: { mediaType: 'image/png', data: picture.data } }
		]);
		expect(passagesOf(said('assistant', text, call))).toEqual([
			{ kind: 'assistant', text: 'Hello' },
			{ kind: 'call', text: 'Bash {\n "command": "ls"\n}', callId: 'c' }
		]);
		const result = { type: 'tool_result', callId: 'c', toolName: 'Bash', content: 'a', isError: false } as const;
		expect(passagesOf(said('tool', { ...result, images: [picture] }))).toMatchObject([
			{ kind: 'result', text: 'a', callId: 'c' },
			{ kind: 'picture', text: 'image/png, 3 KB', callId: 'c' }
		]);
		expect(passagesOf(said('tool', result))).toHaveLength(1);
		expect(passagesOf(said('user', { type: 'text', text: '' }))).toEqual([]);
	});

	it('is also what summaries and task lists bring in', () => {
		const summary = [{ kind: 'summary', text: 'It went well.' }];
		expect(passagesOfEntry(entry({ type: 'compaction', summary: 'It went well.' }))).toEqual(summary);
		expect(passagesOfEntry(entry({ type: 'branch_summary', summary: 'It went well.' }))).toEqual(summary);
		expect(passagesOfEntry(entry({ type: 'todo_list', items: todos }))).toEqual([{ kind: 'todo', text: LIST }]);
		const end = { type: 'tool_call_end', callId: 'c', isError: false, details: { todos } };
		expect(passagesOfEntry(entry({ type: 'event', event: event(end) }))).toEqual([
			{ kind: 'todo', text: LIST, callId: 'c' }
		]);
		expect(passagesOfEntry(entry({ type: 'message', message: said('user', text) }))).toHaveLength(1);
	});

	it('is nothing of what is empty or only for the page', () => {
		for (const nothing of [
			{ type: 'compaction', summary: '' },
			{ type: 'branch_summary', summary: '' },
			{ type: 'todo_list', items: [] },
			{ type: 'label', targetId: 'e', label: 'seen' },
			{ type: 'event', event: event({ type: 'tool_call_end', callId: 'c', isError: false, details: {} }) },
			{ type: 'event', event: event({ type: 'notice', message: 'x' }) }
		])
			expect(passagesOfEntry(entry(nothing))).toEqual([]);
	});
});

describe('what the timeline shows of an event', () => {
	it.each<[object, object[]]>([
		[{ type: 'user_input', content: [text] }, [{ kind: 'user', text: 'Hello' }]],
		[{ type: 'steering_injected', content: [text] }, [{ kind: 'user', text: 'Hello' }]],
		[{ type: 'assistant_text_end', text: 'Hi' }, [{ kind: 'assistant', text: 'Hi' }]],
		[
			{ type: 'tool_call_start', callId: 'c', toolName: 'Bash', arguments: { command: 'ls' } },
			[{ kind: 'call', text: 'Bash {\n "command": "ls"\n}', callId: 'c' }]
		],
		[{ type: 'loop_detection', message: 'Again?', pattern: [] }, [{ kind: 'user', text: 'Again?' }]],
		[{ type: 'notice', message: 'A helper ended.' }, [{ kind: 'user', text: 'A helper ended.' }]],
		[
			{ type: 'todo_reminder', turnsSinceUpdate: 7, items: todos },
			[
				{
					kind: 'user',
					text: `[System Reminder] You have incomplete tasks that haven't been updated for 7 turns:\n${LIST}\nPlease review and continue working on them, or mark them as completed if done.`
				}
			]
		],
		[{ type: 'warning', code: 'unshown_result', message: 'x' }, [{ kind: 'result', text: 'x' }]],
		[{ type: 'warning', code: 'other', message: 'x' }, []],
		[{ type: 'warning', message: 'x' }, []],
		[{ type: 'reasoning_end', text: 'x' }, []]
	])('%j', (shown, passages) => {
		expect(shownBy(event(shown))).toEqual(passages);
	});

	it('takes names of a task list as they are, whatever a replacement would make of them', () => {
		const items = [{ content: '$& $1 {N}', status: 'pending' as const }];
		expect(shownBy(event({ type: 'todo_reminder', turnsSinceUpdate: 1, items }))[0]?.text).toContain(todoText(items));
	});

	it('is disclosed by a code for each kind, and by no other', () => {
		for (const kind of ['user', 'assistant', 'call', 'result', 'picture', 'summary', 'todo'] satisfies PassageKind[])
			expect(disclosedKind(disclosureCode(kind))).toBe(kind);
		for (const code of [undefined, '', 'user', 'unshown_', 'unshown_other', 'x unshown_user'])
			expect(disclosedKind(code)).toBeNull();
	});
});

describe('an opened share', () => {
	const user = (words: string) => ({ type: 'message', message: said('user', { type: 'text', text: words }) });
	const placed = (...bodies: object[]) =>
		bodies.map((body, at) => ({ id: `e${at}`, parentId: at === 0 ? null : `e${at - 1}`, timestamp: at, ...body }));
	const warnings = (entries: readonly SessionEntry[]) =>
		entries.flatMap((each) =>
			each.type === 'event' && each.event.type === 'warning'
				? [[each.event.code, each.event.message, each.parentId]]
				: []
		);

	it('shows nothing more of what reminders and notices have shown', async () => {
		const reminder = shownBy(event({ type: 'todo_reminder', turnsSinceUpdate: 3, items: todos }))[0]?.text ?? '';
		const { entries } = await openCrafted(
			placed(
				eventBody({ type: 'todo_reminder', turnsSinceUpdate: 3, items: todos }),
				user(reminder),
				eventBody({ type: 'notice', message: 'A helper ended.' }),
				user('A helper ended.'),
				eventBody({ type: 'loop_detection', message: 'Again?', pattern: [] }),
				user('Again?')
			)
		);
		expect(warnings(entries)).toEqual([]);
	});

	it('shows what is hidden before the next message, and at the end of each branch', async () => {
		const { entries, leaf } = await openCrafted(
			[
				...placed(user('one'), user('two')),
				{ id: 'other', parentId: 'e0', timestamp: 5, ...user('three') },
				{ id: 'last', parentId: 'e0', timestamp: 6, type: 'label', targetId: 'e0', label: 'x' }
			],
			{ leaf: 'e1' }
		);
		expect(entries.map(({ id, parentId }) => [id, parentId])).toEqual([
			['e0', null],
			['shown-4', 'e0'],
			['e1', 'shown-4'],
			['shown-5', 'e1'],
			['shown-6', 'e0'],
			['other', 'shown-6'],
			['shown-7', 'other'],
			['last', 'e0'],
			['shown-8', 'last']
		]);
		expect(leaf).toBe('shown-5');
		expect(warnings(entries).map(([, message]) => message)).toEqual(['one', 'two', 'one', 'three', 'one']);
	});

	it('gives its warnings ids that no entry has', async () => {
		const [first] = placed(user('one'));
		const { entries } = await openCrafted([{ ...first, id: 'shown-1' }]);
		expect(entries.map(({ id }) => id)).toEqual(['shown-1', 'shown-2']);
	});
});
