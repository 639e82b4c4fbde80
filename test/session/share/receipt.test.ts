import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { EventBody } from '#agent/events.ts';
import type { SessionEntry } from '#agent/session-log.ts';
import type { ReceiptStep } from '#session/contract.ts';
import { countVerifiable, firstLink, makeReceipt, nextLink, recordedCommands } from '#session/share/receipt.ts';
import { steadyOutput } from '#session/share/steady-output.ts';
import { emptyShare } from './crafted.ts';

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

describe('a command of a receipt', () => {
	const only = (...events: EventBody[]) => recordedCommands(entriesOf(...events))[0];

	it.each(['working_dir', 'workdir', 'dir_path', 'cwd', 'directory'])('ran in the directory that %s names', (name) => {
		expect(only(start('a', { [name]: 'src' }), checkpoint('c'), end('a', ran('x')))?.cwd).toBe('src');
	});

	it('ran in the first directory that is a name, or in that of the project', () => {
		const args = { working_dir: '', workdir: 7, cwd: 'src' };
		expect(only(start('a', args), checkpoint('c'), end('a', ran('x')))?.cwd).toBe('src');
		for (const cwd of ['', 7, null])
			expect(only(start('a', { cwd }), checkpoint('c'), end('a', ran('x')))).not.toHaveProperty('cwd');
	});

	it('ran on the machine that the conversation had moved to', () => {
		const call = [start('a'), checkpoint('c'), end('a', ran('x'))];
		const place = { kind: 'docker', name: 'm', tree: 't', files: 0, durationMs: 0 } as const;
		const moved = (action: 'move' | 'return' | 'lost'): EventBody => ({ type: 'machine_change', ...place, action });
		expect(only(...call)).not.toHaveProperty('machine');
		expect(only(moved('move'), ...call)?.machine).toBe('docker');
		for (const back of [moved('return'), moved('lost'), { type: 'session_fork' as const }])
			expect(only(moved('move'), back, ...call)).not.toHaveProperty('machine');
	});

	it('left the files of the next checkpoint if the user and no other call came between', () => {
		const delta: EventBody = { type: 'tool_call_delta', callId: 'b', toolName: 'shell', partialArguments: {} };
		const text: EventBody = { type: 'assistant_text_end', text: 'Done.' };
		const counts = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
		const done: EventBody = {
			type: 'agent_end',
			result: { text: '', stopReason: 'end_turn', turns: 1, usage: { ...counts, costUsd: null } }
		};
		const next = (...events: EventBody[]) => only(start('a'), checkpoint('c'), end('a', ran('x')), ...events)?.next;
		expect(next(text, checkpoint('d'))).toBe('d');
		expect(next(start('b'), delta, checkpoint('d'))).toBe('d');
		expect(next(delta, text, checkpoint('d'))).toBe('d');
		expect(next(start('b'), text, checkpoint('d'))).toBeNull();
		expect(next(start('b'), end('b'), checkpoint('d'))).toBeNull();
		expect(next(done, checkpoint('d'))).toBeNull();
		expect(next()).toBeNull();
	});

	it('is not one whose call began before a call that is shown, or has no call', () => {
		expect(only(checkpoint('c'), end('a', ran('x')))).toBeUndefined();
		expect(only(start('b'), checkpoint('c'), end('a', ran('x')), end('b', ran('y')))).toBeUndefined();
		expect(only(start('a'), checkpoint('c'), { type: 'warning', message: 'w' }, end('a', ran('x')))).toBeDefined();
	});
});

describe('a receipt', () => {
	const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
	const session: SessionEntry = {
		id: 'root',
		parentId: null,
		timestamp: 0,
		type: 'session',
		version: 3,
		sessionId: 's',
		title: 't'
	};
	const entries = [
		session,
		...entriesOf(
			start('a', { command: 'one', cwd: 'src' }),
			checkpoint('c'),
			end('a', ran('one')),
			start('b', { command: 'two' }),
			checkpoint('d'),
			end('b', ran('two')),
			start('e'),
			checkpoint('unknown'),
			end('e', ran('three'))
		)
	];
	const hashes = new Map([
		['c', 'files before one'],
		['d', 'files before two']
	]);

	it('has hashes of the files, the command and its output, each step linked to those before', async () => {
		const steps = await makeReceipt(entries, hashes);
		expect(steps).toEqual([
			{
				callId: 'a',
				checkpoint: 'c',
				before: 'files before one',
				command: sha256('one'),
				output: sha256('out'),
				exitCode: 0,
				after: 'files before two',
				link: expect.stringMatching(/^[0-9a-f]{64}$/)
			},
			expect.objectContaining({ callId: 'b', command: sha256('two'), after: null })
		]);
		const other = await makeReceipt([{ ...session, sessionId: 'other' }, ...entries.slice(1)], hashes);
		expect(other.map(({ link }) => link)).not.toEqual(steps.map(({ link }) => link));
		const later = await makeReceipt([session, ...entries.slice(4)], hashes);
		expect(later[0]).toMatchObject({ callId: 'b' });
		expect(later[0]?.link).not.toBe(steps[1]?.link);
	});

	it('names the machine that a command ran on', async () => {
		const place = { kind: 'docker', name: 'm', tree: 't', files: 0, durationMs: 0 } as const;
		const moved = entriesOf({ type: 'machine_change', ...place, action: 'move' });
		const [there] = await makeReceipt([...moved, ...entries], hashes);
		expect(there?.machine).toBe('docker');
		const [here] = await makeReceipt(entries, hashes);
		expect(here).not.toHaveProperty('machine');
		expect(here?.link).not.toBe(there?.link);
	});

	it('counts as verifiable where the share has the files', async () => {
		const receipt = await makeReceipt(entries, hashes);
		expect(countVerifiable({ ...emptyShare, receipt, history: [] })).toBe(2);
		expect(countVerifiable({ ...emptyShare, history: [] })).toBe(0);
		expect(countVerifiable({ ...emptyShare, receipt })).toBe(0);
	});

	it('begins with the session, or with none', async () => {
		const first = await firstLink([session]);
		expect(await firstLink([...entriesOf(checkpoint('c')), session])).toBe(first);
		expect(await firstLink([])).not.toBe(first);
		expect(await firstLink([])).toBe(await firstLink([{ ...session, sessionId: '' }]));
		// As in every receipt since the first.
		expect(first).toBe(sha256('["receipt","s"]'));
	});

	it('has another link where anything of a step or of what is shown differs', async () => {
		const [shown] = recordedCommands(entries);
		const [step] = await makeReceipt(entries, hashes);
		if (!shown || !step) throw new Error('There is no command.');
		const link = await nextLink('before', step, shown);
		const steps: Partial<ReceiptStep>[] = [
			{ callId: 'x' },
			{ checkpoint: 'x' },
			{ before: 'x' },
			{ command: 'x' },
			{ output: 'x' },
			{ exitCode: 1 },
			{ after: null },
			{ machine: 'docker' }
		];
		const { cwd: _, ...inProject } = shown;
		const others = [
			nextLink('other', step, shown),
			...steps.map((fields) => nextLink('before', { ...step, ...fields }, shown)),
			...[{ shownCommand: 'x' }, { printed: 'x' }, { exitCode: 1 }, { isError: true }, { cwd: 'x' }].map((fields) =>
				nextLink('before', step, { ...shown, ...fields })
			),
			nextLink('before', step, inProject)
		];
		const links = [link, ...(await Promise.all(others))];
		expect(new Set(links).size).toBe(links.length);
		// The output counts as the timeline shows it, without escape sequences.
		expect(await nextLink('before', step, { ...shown, raw: 'x' })).toBe(link);
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
	// A line that reports another exit code does not come from a tool.
	expect(steadyOutput('out\n[Exit code: 1]', 0)).not.toBe(steadyOutput('out\n', 0));
});
