import { describe, expect, it } from 'vitest';
import { branchPath } from '#agent/branch-path.ts';
import { messagesLeftBehind } from '#agent/branch-summary.ts';
import { Conversation, itemsOf, summaryMessage } from '#agent/conversation.ts';
import { forkLog } from '#agent/fork.ts';
import { MemoryLog } from '#agent/memory-log.ts';
import { restoredTodo } from '#agent/restored-todo.ts';
import type { SessionEntry } from '#agent/session-log.ts';
import type { ContentPart, Message } from '#llm/types.ts';

const text = (value: string): ContentPart[] => [{ type: 'text', text: value }];
const user = (value: string): Message => ({ role: 'user', content: text(value) });

describe('a log', () => {
	const entry = (id: string, parentId: string | null, body: object = {}): SessionEntry =>
		({ id, parentId, timestamp: 0, type: 'message', message: user(id), ...body }) as SessionEntry;

	it('has the branch that leads to its leaf', () => {
		const log = new MemoryLog([entry('a', null), entry('b', 'a'), entry('c', 'a')]);
		expect(log.leafId()).toBe('c');
		expect(log.branch().map(({ id }) => id)).toEqual(['a', 'c']);
		log.moveTo('b');
		const id = log.append({ type: 'message', message: user('d') });
		expect(log.branch().map((each) => each.id)).toEqual(['a', 'b', id]);
		expect(log.entries().map((each) => each.id)).toEqual(['a', 'b', 'c', id]);
		expect(() => log.moveTo('x')).toThrow('There is no entry x in this session.');
		expect(new MemoryLog().branch()).toEqual([]);
		expect(new MemoryLog().leafId()).toBeNull();
	});

	it('ends where a parent is missing or comes twice', () => {
		const byId = new Map(
			[entry('a', 'gone'), entry('b', 'a'), entry('c', 'd'), entry('d', 'c')].map((each) => [each.id, each])
		);
		expect(branchPath(byId, 'b').map(({ id }) => id)).toEqual(['a', 'b']);
		expect(branchPath(byId, 'd').map(({ id }) => id)).toEqual(['c', 'd']);
		expect(branchPath(byId, 'x')).toEqual([]);
		expect(branchPath(byId, null)).toEqual([]);
	});

	it('holds the conversation, from its last summary on', () => {
		const summary = { type: 'compaction', summary: 'Sum.', firstKeptId: 'b' };
		const items = itemsOf([
			entry('a', null),
			entry('b', 'a', { notice: true }),
			entry('s', 'b', { type: 'branch_summary', summary: 'Left.' }),
			entry('x', 's', { type: 'event', event: {} }),
			entry('c', 'x', summary),
			entry('d', 'c')
		]);
		expect(items.map(({ entryId, isNotice, summary: sum }) => [entryId, isNotice, sum])).toEqual([
			[null, true, 'Sum.'],
			['b', true, undefined],
			['s', true, undefined],
			['d', undefined, undefined]
		]);
		expect(items[0]?.message).toEqual(summaryMessage('Sum.'));
		expect(items[2]?.message).toEqual(summaryMessage('Left.'));
		expect(summaryMessage('Sum.').content).toEqual(
			text('The conversation before this point was compacted. Its summary:\n\n<summary>\nSum.\n</summary>')
		);
		const none = itemsOf([entry('a', null), entry('c', 'a', { ...summary, firstKeptId: 'gone' })]);
		expect(none.map(({ entryId }) => entryId)).toEqual([null]);
	});

	it('goes on with a conversation, compacts it and reads it again', () => {
		const log = new MemoryLog([entry('a', null), entry('b', 'a')]);
		const conversation = new Conversation(log);
		expect(conversation.summary).toBeUndefined();
		const id = conversation.append(user('c'), { notice: true });
		expect(log.branch().at(-1)).toMatchObject({ id, type: 'message', notice: true });
		expect([...conversation.notices]).toEqual([user('c')]);
		expect(conversation.length).toBe(3);
		expect([conversation.entryIdFromEnd(1), conversation.entryIdFromEnd(3), conversation.entryIdFromEnd(4)]).toEqual([
			id,
			'a',
			null
		]);
		conversation.replaceMessages([user('A')]);
		expect(conversation.messages).toEqual([user('A'), user('b'), user('c')]);
		conversation.reload();
		expect(conversation.messages[0]).toEqual(user('a'));
		conversation.compact('Sum.', 2, 100, 10);
		expect(log.branch().at(-1)).toMatchObject({
			type: 'compaction',
			summary: 'Sum.',
			firstKeptId: 'b',
			beforeTokens: 100,
			afterTokens: 10
		});
		expect(conversation.summary).toBe('Sum.');
		expect(conversation.messages).toEqual([summaryMessage('Sum.'), user('b'), user('c')]);
		const reopened = new Conversation(new MemoryLog(log.entries()));
		expect(reopened.messages).toEqual(conversation.messages);
		expect(reopened.notices.size).toBe(2);
	});

	it('is forked up to an entry, with references to the new entries', () => {
		const source = new MemoryLog();
		source.append({ type: 'session', version: 3, sessionId: 's', title: 'Mend' });
		const first = source.append({ type: 'message', message: user('a') });
		source.append({ type: 'event', event: {} as never });
		source.append({ type: 'todo_list', items: [{ content: 'One', status: 'pending' }] });
		source.append({ type: 'compaction', summary: 'Sum.', firstKeptId: first, beforeTokens: 1, afterTokens: 1 });
		source.append({ type: 'label', targetId: first, label: 'Here' } as never);
		const last = source.append({
			type: 'compaction',
			summary: 'S',
			firstKeptId: 'gone',
			beforeTokens: 1,
			afterTokens: 1
		});
		source.append({ type: 'message', message: user('later') });
		const fork = forkLog(source, last, 'new');
		const entries = fork.entries();
		expect(entries.map(({ type }) => type)).toEqual([
			'session',
			'message',
			'compaction',
			'label',
			'compaction',
			'todo_list'
		]);
		expect(entries[0]).toMatchObject({ sessionId: 'new', title: 'Mend', version: 3 });
		const copied = entries[1]?.id;
		expect(copied).not.toBe(first);
		expect(entries[2]).toMatchObject({ firstKeptId: copied });
		expect(entries[3]).toMatchObject({ targetId: copied });
		expect(entries[4]).toMatchObject({ firstKeptId: '' });
		expect(entries[5]).toMatchObject({ items: [{ content: 'One', status: 'pending' }] });
		expect(() => forkLog(source, 'x', 'new')).toThrow('There is no entry x in this session to fork from.');
		const target = new MemoryLog();
		target.append({ type: 'session', version: 3, sessionId: 'own', title: 'Own' });
		expect(forkLog(source, first, 'new', target)).toBe(target);
		expect(target.entries().map(({ type }) => type)).toEqual(['session', 'message']);
	});

	it('restores the task list of its last call that held one', () => {
		const end = (details: unknown, isError = false) =>
			entry('e', null, { type: 'event', event: { type: 'tool_call_end', isError, details } });
		const todos = [
			{ content: 'One', status: 'completed' },
			{ content: 'Two', status: 'in_progress' }
		];
		expect(restoredTodo([end({ todos })])).toEqual(todos);
		expect(restoredTodo([end({ todos }), end({ other: 1 }), end({ todos: [] }, true), entry('m', null)])).toEqual(
			todos
		);
		expect(restoredTodo([end({ todos }), end({ todos: [] })])).toEqual([]);
		expect(restoredTodo([end({ todos: [{ content: 'One', status: 'done' }] })])).toEqual([]);
		const list = entry('l', null, { type: 'todo_list', items: todos });
		expect(restoredTodo([end({ todos: [] }), list])).toEqual(todos);
		expect(restoredTodo([])).toEqual([]);
	});

	it('knows which messages another branch leaves behind', () => {
		const [a, b, c] = [entry('a', null), entry('b', 'a'), entry('c', 'b')];
		expect(messagesLeftBehind([a, b, c], [a])).toEqual([user('b'), user('c')]);
		expect(messagesLeftBehind([a], [a, b])).toEqual([]);
	});
});
