import { describe, expect, it } from 'vitest';
import type { SessionEntry } from '#agent/session-log.ts';
import { discloseHidden } from '#session/share/disclose.ts';
import { eventBody, messageBody } from './crafted.ts';

/** An entry below another, `null` for the first. */
const below = (parentId: string | null, id: string, body: object): SessionEntry =>
	({ id, parentId, timestamp: id.charCodeAt(0), ...body }) as SessionEntry;
const text = (words: string) => ({ type: 'text', text: words });
const said = (words: string) => messageBody('user', text(words));
const shown = (words: string) => eventBody({ type: 'user_input', content: [text(words)] });
const nothing = { type: 'label', targetId: '', label: '' };
const root = below(null, 'root', nothing);
const call = (callId: string, args: object) => ({ type: 'tool_call_start', callId, toolName: 'x', arguments: args });
const ended = (callId: string, output: string, details?: object) => ({
	type: 'tool_call_end',
	callId,
	toolName: 'x',
	output,
	isError: false,
	durationMs: 1,
	...(details ? { details } : {})
});
const result = (callId: string, content: string) =>
	messageBody('tool', { type: 'tool_result', callId, toolName: 'x', content, isError: false });

/** The warnings of a conversation, each with the entry above it. */
const warnings = (entries: readonly SessionEntry[]): string[][] =>
	entries.flatMap((entry) =>
		entry.type === 'event' && entry.event.type === 'warning' ? [[entry.parentId ?? 'null', entry.event.message]] : []
	);

describe('what a branch does not show', () => {
	it.each([
		['words', shown('x'), said('x')],
		[
			'a call',
			eventBody(call('c', { a: 1 })),
			messageBody('assistant', { type: 'tool_call', id: 'c', name: 'x', arguments: { a: 1 } })
		],
		['output', eventBody(ended('c', 'one\ntwo')), result('c', 'one')]
	])('is shown there, though another branch shows it: %s', (_, showing, message) => {
		const inOrder = [root, below('root', 'a', showing), below('a', 'b', message), below('root', 'c', message)];
		const { entries } = discloseHidden(inOrder);
		expect(warnings(entries).map(([parent]) => parent)).toEqual(['c']);
		// Content above both branches is shown on both, even if one shows it again.
		const above = [below(null, 'root', showing), below('root', 'a', showing), below('root', 'c', message)];
		expect(warnings(discloseHidden(above).entries)).toEqual([]);
	});

	it('is a task list whose call stands on another branch', () => {
		const items = [{ content: 'Mend it', status: 'pending' }];
		const entries = [
			root,
			below('root', 'a', eventBody(call('c', { todos: items }))),
			below('a', 'b', eventBody(ended('c', 'ok', { todos: items }))),
			below('root', 'c', eventBody(ended('c', 'ok', { todos: items })))
		];
		expect(warnings(discloseHidden(entries).entries)).toEqual([['c', '- [pending] Mend it']]);
	});

	it('is a task list of which its call has a part, or a call of another id', () => {
		const items = ['one', 'two'].map((content) => ({ content, status: 'pending' }));
		const of = (callId: string, todos: object[]) => [
			below(null, 'a', eventBody(call(callId, { todos }))),
			below('a', 'b', eventBody(call('c', { todos: todos.slice(0, 1) }))),
			below('b', 'd', eventBody(ended('c', 'ok', { todos: items })))
		];
		expect(warnings(discloseHidden(of('c', items)).entries)).toEqual([]);
		expect(warnings(discloseHidden(of('c', items.slice(1))).entries)).toHaveLength(1);
		expect(warnings(discloseHidden(of('other', items)).entries)).toHaveLength(1);
	});

	it('is shown at the end of each branch on which no event follows that shows it', () => {
		const entries = [below(null, 'm', said('x')), below('m', 'a', shown('x')), below('m', 'b', nothing)];
		expect(warnings(discloseHidden(entries).entries)).toEqual([['b', 'x']]);
	});

	it('is a call of another id, and no result that a warning shows', () => {
		const message = messageBody('assistant', { type: 'tool_call', id: 'c', name: 'x', arguments: {} });
		const other = [below(null, 'a', eventBody(call('other', {}))), below('a', 'b', message)];
		expect(warnings(discloseHidden(other).entries)).toEqual([['b', 'x {}']]);
		const warned = eventBody({ type: 'warning', code: 'unshown_result', message: 'secret' });
		const known = [below(null, 'a', warned), below('a', 'b', result('c', 'secret'))];
		expect(warnings(discloseHidden(known).entries)).toEqual([['null', 'secret']]);
	});

	it('is a call with other arguments, or with an id and a name that only begin and end as another’s do', () => {
		const called = (id: string, name: string, args: object) =>
			messageBody('assistant', { type: 'tool_call', id, name, arguments: args });
		const after = (event: object, message: object) =>
			warnings(discloseHidden([below(null, 'a', eventBody({ ...event })), below('a', 'b', message)]).entries);
		expect(after(call('c', { a: 1 }), called('c', 'x', { a: 1 }))).toEqual([]);
		expect(after(call('c', { a: 1 }), called('c', 'x', { a: 2 }))).toEqual([['b', 'x {\n "a": 2\n}']]);
		expect(after({ ...call('cx', {}), toolName: '' }, called('c', 'x', {}))).toEqual([['b', 'x {}']]);
	});

	it('is shown once: not again beside a warning of a call, or a picture that the user sent', () => {
		const message = messageBody('assistant', { type: 'tool_call', id: 'c', name: 'x', arguments: {} });
		const warned = eventBody({ type: 'warning', code: 'unshown_call', message: 'x {}' });
		const again = [below(null, 'a', warned), below('a', 'b', message)];
		expect(warnings(discloseHidden(again).entries)).toEqual([['null', 'x {}']]);
		const picture = { type: 'image', mediaType: 'image/png', data: 'AAAA' };
		const read = messageBody('tool', {
			...{ type: 'tool_result', callId: 'c', toolName: 'x', content: '', isError: false },
			images: [picture]
		});
		const sent = eventBody({ type: 'user_input', content: [picture] });
		expect(warnings(discloseHidden([below(null, 'a', sent), below('a', 'b', read)]).entries)).toEqual([]);
		expect(warnings(discloseHidden([below(null, 'a', shown('x')), below('a', 'b', read)]).entries)).toHaveLength(1);
	});
});

describe('what was hidden', () => {
	const hidden = [
		below(null, 'm', messageBody('user', text('one'), text('two'))),
		below('m', 'n', nothing),
		below('n', 'o', said('three')),
		below('o', 'p', shown('three'))
	];

	it('stands in a chain before the next message, which follows it', () => {
		const { entries, ...rest } = discloseHidden(hidden);
		expect(rest).toEqual({});
		expect(entries.map(({ id, parentId }) => [id, parentId])).toEqual([
			['m', null],
			['n', 'm'],
			['shown-4', 'n'],
			['shown-5', 'shown-4'],
			['o', 'shown-5'],
			['p', 'o']
		]);
		expect(entries[2]).toEqual({
			id: 'shown-4',
			parentId: 'n',
			timestamp: 'o'.charCodeAt(0),
			type: 'event',
			event: {
				type: 'warning',
				code: 'unshown_user',
				message: 'one',
				sessionId: '',
				seq: 3,
				timestamp: 'o'.charCodeAt(0)
			}
		});
		expect(entries.flatMap((entry) => (entry.type === 'event' ? [entry.event.seq] : []))).toEqual([3, 4, 6]);
	});

	it('gets ids that no entry has', () => {
		const named = [
			below(null, 'shown-3', said('one')),
			below('shown-3', 'shown-2', nothing),
			below('shown-2', 'a', nothing)
		];
		const { entries } = discloseHidden(named);
		expect(warnings(entries)).toEqual([['a', 'one']]);
		expect(new Set(entries.map(({ id }) => id)).size).toBe(4);
	});

	it('comes at the entry where the conversation is, which moves behind it, and what follows too', () => {
		const { entries, leaf } = discloseHidden(hidden, 'n');
		expect(entries.map(({ id, parentId }) => [id, parentId])).toEqual([
			['m', null],
			['n', 'm'],
			['shown-4', 'n'],
			['shown-5', 'shown-4'],
			['o', 'shown-5'],
			['p', 'o']
		]);
		expect(leaf).toBe('shown-5');
		expect(entries[2]).toMatchObject({ timestamp: 'n'.charCodeAt(0) });
	});

	it('leaves the conversation where it is if it stands elsewhere or is nothing', () => {
		const branches = [root, below('root', 'a', shown('seen')), below('a', 'b', nothing), below('root', 'c', said('x'))];
		const { entries, leaf } = discloseHidden(branches, 'a');
		expect([leaf, warnings(entries)]).toEqual(['a', [['c', 'x']]]);
		expect(discloseHidden(branches.slice(0, 3), 'b')).toMatchObject({ leaf: 'b', entries: { length: 3 } });
	});
});
