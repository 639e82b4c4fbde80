import { describe, expect, it } from 'vitest';
import type { EventBody, SessionEvent } from '#agent/events.ts';
import { Fold } from '#page/timeline/fold.ts';
import { labelsThatFit } from '#page/workbench/history/labels.ts';
import { stopsOf, withoutRepeats, type Stop } from '#page/workbench/history/stops.ts';
import type { Checkpoint } from '#workspace/contract.ts';

const checkpoint = (id: string, label = 'turn'): Checkpoint => ({ id, tree: id, label, timestamp: 0, entryId: null });
const mark = (id: string): EventBody => ({ type: 'checkpoint', checkpointId: id, tree: id, label: 'turn' });
const begin = (callId: string, toolName: string, args: Record<string, unknown>): EventBody => ({
	...{ type: 'tool_call_start', callId, toolName, arguments: args }
});
const finish = (callId: string, toolName: string, exitCode = 0): EventBody => ({
	...{ type: 'tool_call_end', callId, toolName, output: '', isError: exitCode !== 0, durationMs: 1 },
	details: { exitCode }
});

function fold(...bodies: EventBody[]): Fold {
	const result = new Fold();
	for (const [index, body] of bodies.entries())
		result.push({ sessionId: 's', seq: index + 1, timestamp: index, ...body } as SessionEvent);
	return result;
}

describe('stopsOf', () => {
	it('names each stop by the last message or step that was over by then', () => {
		const history = fold(
			{ type: 'user_input', content: [{ type: 'text', text: 'Fix **it**\nplease' }] },
			mark('1'),
			begin('a', 'bash', { command: 'npm test' }),
			// Before a command: its call has started, but nothing has happened yet.
			mark('2'),
			finish('a', 'bash', 1),
			mark('3'),
			begin('b', 'edit_file', { path: 'src/a.ts' }),
			finish('b', 'edit_file'),
			mark('4'),
			begin('c', 'read_file', { path: 'b.ts' }),
			finish('c', 'read_file'),
			mark('5'),
			begin('d', 'bash', { command: 'npm test' }),
			finish('d', 'bash'),
			mark('6')
		);
		const all = [checkpoint('0', 'Imported'), ...['1', '2', '3', '4', '5', '6'].map((id) => checkpoint(id))];
		const stops = stopsOf([...all, checkpoint('x', 'Mine')], (id) => history.happenedBefore(id));
		expect(stops.map(({ kind, name }) => [kind, name])).toEqual([
			['import', 'Import'],
			['message', '“Fix it”'],
			['look', '“Fix it”'],
			['failed', 'npm test failed'],
			['edit', 'Edited a.ts'],
			['look', 'Read b.ts'],
			['passed', 'npm test passed'],
			// From another branch: events before it are not in this one.
			['other', 'Mine']
		]);
		// A turn's checkpoint belongs to its first step, one before a command to that command.
		const checkpoints = history.items.map(({ checkpointId }) => checkpointId);
		expect(checkpoints).toEqual([undefined, '1', '3', '4', '5']);
	});
});

describe('labelsThatFit', () => {
	const stop = (kind: Stop['kind'], name: string): Stop => ({ checkpoint: checkpoint(name), kind, name });
	const stops = [
		...[stop('import', 'Import'), stop('edit', 'Edited one.ts'), stop('message', '“Fix it”')],
		...[stop('look', 'Read a.ts'), stop('failed', 'npm test failed')]
	];

	it('shows all but reads where there is room', () => {
		expect(labelsThatFit(stops, 5, 1200, 'Now').map(({ index }) => index)).toEqual([0, 1, 2, 4, 5]);
	});

	it('keeps the chosen one and the present, then messages, where room is short; none overlap', () => {
		expect(labelsThatFit(stops, 3, 240, 'Now').map(({ index }) => index)).toEqual([0, 3, 5]);
		for (const width of [100, 300, 500, 900]) {
			const labels = labelsThatFit(stops, 1, width, 'Now');
			const edges = labels.map(({ index, at }) => {
				const half = ((stops[index]?.name ?? 'Now').length * 6.6) / 2;
				return [at * width - half, at * width + half];
			});
			edges.slice(1).forEach(([from], index) => expect(from).toBeGreaterThan(edges[index]?.[1] ?? 0));
			expect(labels.some(({ index }) => index === 1)).toBe(true);
		}
	});
});

describe('withoutRepeats', () => {
	it('leaves out a checkpoint where neither files nor conversation have changed since the one before', () => {
		const history = fold(
			{ type: 'user_input', content: [{ type: 'text', text: 'Fix it' }] },
			mark('1'),
			mark('2'),
			begin('a', 'edit_file', { path: 'a.ts' }),
			finish('a', 'edit_file'),
			mark('3'),
			mark('4')
		);
		const all = [
			checkpoint('0', 'Imported'),
			...['1', '2', '3', '4'].map((id) => ({ ...checkpoint(id), tree: id === '4' ? 'changed meanwhile' : 'same' }))
		];
		const distinct = withoutRepeats(all, (id) => history.happenedBefore(id));
		expect(distinct.map(({ id }) => id)).toEqual(['0', '1', '3', '4']);
	});
});
