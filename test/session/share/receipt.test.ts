import { describe, expect, it } from 'vitest';
import type { EventBody } from '#agent/events.ts';
import type { SessionEntry } from '#agent/session-log.ts';
import { recordedCommands } from '#session/share/receipt.ts';
import { steadyOutput } from '#session/share/steady-output.ts';

const entriesOf = (...events: EventBody[]): SessionEntry[] =>
	events.map((event, seq) => ({
		id: String(seq),
		parentId: null,
		timestamp: 0,
		type: 'event',
		event: { sessionId: 's', seq, timestamp: 0, ...event }
	}));
const start = (callId: string, args = {}): EventBody => ({
	type: 'tool_call_start',
	callId,
	toolName: 'shell',
	arguments: args
});
const end = (callId: string, details?: unknown): EventBody => ({
	type: 'tool_call_end',
	callId,
	toolName: 'shell',
	output: 'out\n',
	isError: false,
	durationMs: 1,
	...(details === undefined ? {} : { details })
});
const ran = (command: string) => ({ command, exitCode: 0, durationMs: 1, timedOut: false, truncated: false });
const checkpoint = (checkpointId: string): EventBody => ({ type: 'checkpoint', checkpointId, tree: 't', label: 'l' });

describe('the commands of a receipt', () => {
	it('are those whose files before and after are known', () => {
		const commands = recordedCommands(
			entriesOf(
				checkpoint('turn'),
				start('a', { working_dir: 'src' }),
				checkpoint('before a'),
				end('a', ran('one')),
				start('b'),
				checkpoint('before b'),
				end('b', ran('two')),
				start('write'),
				end('write'),
				checkpoint('turn 2'),
				start('c'),
				checkpoint('before c'),
				end('c', ran('three')),
				{ type: 'user_input', content: [{ type: 'text', text: 'Go on.' }] },
				checkpoint('turn 3')
			)
		);
		expect(commands.map(({ command, cwd, checkpoint, next }) => [command, cwd, checkpoint, next])).toEqual([
			['one', 'src', 'before a', 'before b'],
			['two', undefined, 'before b', null],
			['three', undefined, 'before c', null]
		]);
	});

	it('are none of those that ran beside others, were stopped, or had no checkpoint', () => {
		const parallel = [start('a'), start('b'), checkpoint('c'), end('a', ran('one'))];
		const stopped = [start('d'), checkpoint('c'), end('d', { ...ran('two'), timedOut: true })];
		const background = [start('e'), checkpoint('c'), end('e', { command: 'x', processId: '1', running: true })];
		const bare = [start('f'), end('f', ran('three'))];
		expect(recordedCommands(entriesOf(...parallel, ...stopped, ...background, ...bare))).toEqual([]);
	});
});

it('compares what is printed without durations and clocks, and with all else', () => {
	expect(steadyOutput('ok 1 - adds (12.4 ms)\n# duration_ms 48.117\n\n[Exit code: 1]', 1)).toBe(
		steadyOutput('ok 1 - adds (9 ms)\n# duration_ms 51.2\n', 1)
	);
	expect(steadyOutput('at 2026-11-22T01:02:03Z 10:11:12', 0)).toBe(steadyOutput('at 2027-01-01T00:00:00Z 01:01:01', 0));
	expect(steadyOutput('(no output)', 0)).toBe(steadyOutput('', 0));
	expect(steadyOutput('5 tests pass', 0)).not.toBe(steadyOutput('4 tests pass', 0));
	expect(steadyOutput('out\n\nCommand exited with code 3', 3)).toBe(steadyOutput('out\n', 3));
	// A line that tells of another exit code is no tool's own.
	expect(steadyOutput('out\n[Exit code: 1]', 0)).not.toBe(steadyOutput('out\n', 0));
});
