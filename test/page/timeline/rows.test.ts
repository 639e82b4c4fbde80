import { describe, expect, it } from 'vitest';
import type { EventBody, SessionEvent } from '#agent/events.ts';
import { Fold } from '#page/timeline/fold.ts';
import type { ItemOf } from '#page/timeline/items.ts';
import { rowOfItem, rowsOf, type Row } from '#page/timeline/rows.ts';
import { stepWords } from '#page/timeline/step-words.ts';
import { taskFacts } from '#page/timeline/task-facts.ts';
import { emptyUsage } from '#llm/usage.ts';

let calls = 0;
const user = (text: string): EventBody => ({ type: 'user_input', content: [{ type: 'text', text }] });
const text = (words: string): EventBody => ({ type: 'assistant_text_end', text: words });
const usage = (costUsd: number): EventBody => ({
	...{ type: 'usage', turnIndex: 0 },
	usage: { ...emptyUsage(), inputTokens: 10, costUsd }
});
const end = (stopReason: 'end_turn' | 'aborted' = 'end_turn'): EventBody => ({
	...{ type: 'agent_end' },
	result: { text: '', stopReason, turns: 1, usage: emptyUsage() }
});
const change = (path: string, by: 'tool' | 'user' = 'tool', added = 1): EventBody => ({
	...{ type: 'file_change', path, kind: 'modified', added, removed: 1, by }
});
/** A call from its start to its end. */
function call(toolName: string, args: Record<string, unknown>, output = 'ok', isError = false): EventBody[] {
	const callId = `c${(calls += 1)}`;
	return [
		{ type: 'tool_call_start', callId, toolName, arguments: args },
		{ ...{ type: 'tool_call_end', callId, toolName, output, isError }, durationMs: 5 }
	];
}
const read = (path: string, isError = false): EventBody[] => call('Read', { file_path: path }, 'x', isError);

function itemsOf(...bodies: (EventBody | EventBody[])[]) {
	const fold = new Fold();
	for (const [index, body] of bodies.flat().entries())
		fold.push({ sessionId: 's', seq: index + 1, timestamp: index * 1000, ...body } as SessionEvent);
	return fold.items;
}
const rows = (...bodies: (EventBody | EventBody[])[]): Row[] => rowsOf(itemsOf(...bodies), () => false);
/** Each row as one word: its kind, or that of its item. */
const shape = (list: readonly Row[]): string[] =>
	list.map(({ kind, items }) => (kind === 'item' ? (items[0]?.kind ?? '') : kind));

describe('rowsOf', () => {
	it('leaves where a session was forked in view, between what it took over and what is its own', () => {
		const list = rows(
			user('a'),
			call('Bash', { command: 'ls' }),
			end('aborted'),
			{ type: 'session_fork' },
			user('b'),
			call('Bash', { command: 'ls' }),
			end()
		);
		expect(shape(list)).toEqual(['user', 'worked', 'end', 'summary', 'forked', 'user', 'worked', 'summary']);
	});

	it('makes one row of reads and searches that follow each other, whatever was thought between', () => {
		const list = rows(
			user('a'),
			read('/workspace/a.ts'),
			{ type: 'reasoning_end', text: 'Hm' },
			usage(0.01),
			read('/workspace/b.ts'),
			call('Grep', { pattern: 'x' }),
			text('Now I know.'),
			read('/workspace/c.ts')
		);
		expect(shape(list)).toEqual(['user', 'reads', 'text', 'tool']);
		expect(list[1]?.items.map(({ kind }) => kind)).toEqual(['tool', 'reasoning', 'tool', 'tool']);
	});

	it('shows a read that failed on its own', () => {
		expect(shape(rows(user('a'), read('a'), read('b', true), read('c'), read('d')))).toEqual([
			...['user', 'tool', 'tool', 'reads']
		]);
	});

	it('folds the steps of a task that ended; its answer and what came of it stay', () => {
		const list = itemsOf(
			...[user('a'), text('I look.'), call('bash', { command: 'npm test' }), change('a.ts'), text('Done.'), end()],
			...[user('b'), read('a')]
		);
		const folded = rowsOf(list, () => false);
		expect(shape(folded)).toEqual(['user', 'worked', 'text', 'summary', 'user', 'tool']);
		const worked = folded[1];
		expect(shape(rowsOf(list, (key) => key === worked?.key))).toEqual([
			...['user', 'worked', 'text', 'tool', 'text', 'summary', 'user', 'tool']
		]);
		// A search match inside is found at the row that hides it.
		const step = list.find((item) => item.kind === 'tool');
		expect(step && rowOfItem(folded, step)).toBe(1);
	});

	it('keeps errors, limits and what ended a task in sight, and shows no summary of mere talk', () => {
		const error: EventBody = { type: 'error', error: { code: 'server', message: 'Overloaded' }, fatal: true };
		expect(shape(rows(user('a'), read('a'), error, end('aborted')))).toEqual(['user', 'worked', 'error', 'end']);
		expect(shape(rows(user('a'), text('Hello.'), end()))).toEqual(['user', 'worked', 'text']);
	});

	it('counts cost, time, files and tests of each task alone', () => {
		const failing = 'ℹ tests 24\nℹ pass 21\nℹ fail 3\n';
		const list = rows(
			...[user('a'), usage(0.5), change('of-a.ts'), end()],
			user('b'),
			usage(0.25),
			call('bash', { command: 'npm test' }, failing, true),
			change('b.ts', 'tool', 2),
			change('b.ts', 'tool', 3),
			change('mine.ts', 'user'),
			call('TodoWrite', { todos: [] }),
			call('bash', { command: 'npm test' }, 'ℹ tests 24\nℹ pass 24\nℹ fail 0\n'),
			end()
		);
		const summary = list.findLast((row) => row.kind === 'summary');
		if (summary?.kind !== 'summary') throw new Error('the second task has no summary');
		const { end: last } = summary.task;
		expect(last.spent.costUsd).toBe(0.25);
		expect(last.durationMs).toBe(11_000);
		expect(last.files).toEqual([{ path: 'b.ts', kind: 'modified', added: 5, removed: 2 }]);
		expect(taskFacts(summary.task)).toEqual({
			steps: 2,
			allowed: 0,
			tests: { passed: 24, failed: 0, failedBefore: 3 }
		});
	});
});

describe('stepWords', () => {
	const words = (toolName: string, args: Record<string, unknown>) =>
		stepWords(itemsOf(call(toolName, args))[0] as ItemOf<'tool'>);

	it('says in plain words what a tool did, under any profile, and never an internal name', () => {
		expect(words('Bash', { command: 'npm test' })).toEqual({ verb: 'Ran', subject: 'npm test' });
		expect(words('exec_command', { cmd: 'ls' })).toEqual({ verb: 'Ran', subject: 'ls' });
		expect(words('read_file', { path: '/workspace/src/a.ts' })).toEqual({ verb: 'Read', subject: 'src/a.ts' });
		expect(words('TodoWrite', { todos: [] })).toEqual({ verb: 'Updated the task list', subject: '' });
		expect(words('write_file', { path: 'a' })).toEqual({ verb: 'Wrote', subject: 'a' });
		expect(words('wait_agent', { ids: ['agent_1'] }).subject).toBe('');
		expect(words('invoke_agent', { agent_name: 'Scout', prompt: 'Look.\nAll.' }).subject).toBe('Scout: Look.');
		expect(words('BashOutput', { bash_id: 'shell_1' }).subject).toBe('');
	});
});
