import { describe, expect, it } from 'vitest';
import type { SessionEntry } from '#agent/session-log.ts';
import { eventBody, messageBody, openCrafted } from './crafted.ts';

const CUT = '[... 3 lines omitted ...]';

/** Content disclosed by a share if the timeline shows `output` and the model received `sent` from the same call. */
async function disclosed(sent: string, output: string, callId = 'c'): Promise<string[]> {
	const end = { type: 'tool_call_end', callId: 'c', toolName: 'Bash', output, isError: false, durationMs: 1 };
	const result = { type: 'tool_result', callId, toolName: 'Bash', content: sent, isError: false };
	const bodies = [
		eventBody({ type: 'tool_call_start', callId: 'c', toolName: 'Bash', arguments: { command: 'ls' } }),
		eventBody(end),
		messageBody('tool', result)
	];
	const { entries } = await openCrafted(
		bodies.map((body, at) => ({ id: `e${at}`, parentId: at === 0 ? null : `e${at - 1}`, timestamp: at, ...body }))
	);
	return messagesOf(entries);
}
const messagesOf = (entries: readonly SessionEntry[]): string[] =>
	entries.flatMap((entry) => (entry.type === 'event' && entry.event.type === 'warning' ? [entry.event.message] : []));

describe('output that the model got', () => {
	it.each([
		['is the same', 'one\ntwo\n', 'one\ntwo\n'],
		['has other ends of lines', 'one\r\ntwo', 'one\ntwo\n'],
		['lost blank lines and colours', 'one\ntwo', '\u001b[31mone\u001b[0m\n\n  \ntwo'],
		['has colours that are not shown', '\u001b[1;31mone\u001b[0m', 'one'],
		['has a line of blanks more', 'one\n  \ntwo', 'one\ntwo'],
		['lost lines', 'one\nthree', 'one\ntwo\nthree'],
		['was cut between lines', `one\n${CUT}\nfive`, 'one\ntwo\nthree\nfour\nfive'],
		['was cut within lines', `on\n${CUT}\nve`, 'one\ntwo\nthree\nfour\nfive'],
		['is nothing', '', 'one']
	])('and %s is shown already', async (_, sent, output) => {
		expect(await disclosed(sent, output)).toEqual([]);
	});

	it.each([
		['has a line more', 'one\nmore', 'one'],
		['has lines in another order', 'two\none', 'one\ntwo'],
		['has a line twice', 'one\none', 'one'],
		['has a part of a line without a cut', 'on', 'one'],
		['has another part of the line before a cut', `ne\n${CUT}\nfive`, 'one\ntwo\nfive'],
		['has another part of the line behind a cut', `one\n${CUT}\nfi`, 'one\ntwo\nfive'],
		['has an escape that could hold words', '\u001b]0;Obey\u0007one', 'one']
	])('and %s is shown beside what the timeline shows', async (_, sent, output) => {
		expect(await disclosed(sent, output)).toEqual([sent]);
	});

	it('of another call is not shown by this one', async () => {
		expect(await disclosed('one', 'one', 'other')).toEqual(['one']);
	});
});

describe('a task list that the model got', () => {
	const todo = (content: string, status = 'pending') => ({ content, status });
	const list = (...items: object[]) => ({ type: 'todo_list', items });
	const opened = async (args: object, todos: object[]): Promise<string[]> => {
		const { entries } = await openCrafted([
			{
				id: 'a',
				parentId: null,
				timestamp: 0,
				...eventBody({ type: 'tool_call_start', callId: 'c', toolName: 'todo', arguments: args })
			},
			{
				id: 'b',
				parentId: 'a',
				timestamp: 1,
				...eventBody({
					type: 'tool_call_end',
					callId: 'c',
					toolName: 'todo',
					output: 'ok',
					details: { todos },
					isError: false,
					durationMs: 1
				})
			}
		]);
		return messagesOf(entries);
	};

	it('is shown by the call that set it, with any words in it', async () => {
		const items = [todo('Mend it'), todo('Say "no"\nand go', 'completed'), todo('Tick - [x] here')];
		expect(await opened({ todos: items }, items)).toEqual([]);
		expect(await opened({ todos: items.slice(0, 1) }, items)).toEqual([
			'- [pending] Mend it\n- [completed] Say "no"\nand go\n- [pending] Tick - [x] here'
		]);
	});

	it('of no call is shown', async () => {
		const { entries } = await openCrafted([{ id: 'a', parentId: null, timestamp: 0, ...list(todo('Mend it')) }]);
		expect(messagesOf(entries)).toEqual(['- [pending] Mend it']);
	});
});

describe('pictures that the model got', () => {
	const picture = (data: string) => ({ type: 'image', mediaType: 'image/png', data });
	const user = (data: string) => messageBody('user', picture(data));
	const shown = (data: string) => eventBody({ type: 'user_input', content: [picture(data)] });
	const opened = async (...bodies: object[]) =>
		messagesOf(
			(
				await openCrafted(
					bodies.map((body, at) => ({ id: `e${at}`, parentId: at === 0 ? null : `e${at - 1}`, timestamp: at, ...body }))
				)
			).entries
		);

	it('are shown by the same picture, and not by another of its size', async () => {
		expect(await opened(shown('AAAA'), user('AAAA'))).toEqual([]);
		expect(await opened(shown('AAAA'), user('BBBB'))).toEqual(['image/png, 1 KB']);
	});
});
