import { beforeEach, describe, expect, it } from 'vitest';
import type { EventBody } from '#agent/events.ts';
import type { ReceiptStep, ShareBundle } from '#session/contract.ts';
import { inspectReceipt } from '#session/share/inspect-receipt.ts';
import { countVerifiable, makeReceipt, nextLink, recordedCommands } from '#session/share/receipt.ts';
import { sha256 } from '#session/share/sha256.ts';
import { checkpoint, end, entriesOf, session, start } from './commands.ts';
import { emptyShare } from './crafted.ts';

const HASHES = new Map(['c1', 'c2', 'c3'].map((id, at) => [id, String(at).repeat(64)]));

/** Two commands, each with the files before and after it. */
const EVENTS = [
	session,
	start('a', { command: 'one' }),
	checkpoint('c1'),
	end('a', 'one'),
	start('b', { command: 'two' }),
	checkpoint('c2'),
	end('b', 'two', 1),
	checkpoint('c3')
] as const;

let bundle: ShareBundle;
let steps: ReceiptStep[];
beforeEach(async () => {
	const entries = entriesOf(...EVENTS);
	steps = await makeReceipt(entries, HASHES);
	const history = [...HASHES.keys()].map((id) => ({ checkpoint: id, files: {}, removed: [], empty: [] }));
	bundle = { ...emptyShare, entries, receipt: steps, history };
});

/** Results for each command: its text, contradictions, missing data, and whether it can be run. */
async function found(): Promise<unknown[]> {
	const inspected = await inspectReceipt(structuredClone(bundle));
	return inspected.map(({ command, problems, gaps, run }) => [command, problems, gaps, run !== undefined]);
}
type Event<Type> = Extract<EventBody, { type: Type }>;
const eventAt = <Type extends EventBody['type']>(at: number, _type: Type): Event<Type> => {
	const entry = bundle.entries[at];
	if (entry?.type !== 'event') throw new Error(`Entry ${at} is no event.`);
	return entry.event as unknown as Event<Type>;
};
const GOOD = [
	['one', [], [], true],
	['two', [], [], true]
];

describe('a receipt', () => {
	it('of what happened contradicts nothing, and each of its commands can be run', async () => {
		expect(await found()).toEqual(GOOD);
		expect(countVerifiable(bundle)).toBe(2);
		const [first] = await inspectReceipt(bundle);
		expect(first).toMatchObject({ callId: 'a', run: { step: steps[0], recorded: { command: 'one', next: 'c2' } } });
		expect(steps.map(({ before, after, exitCode }) => [before[0], after?.[0], exitCode])).toEqual([
			['0', '1', 0],
			['1', '2', 1]
		]);
	});

	it('is none where the share has none, and counts nothing without the files', async () => {
		const { receipt: _receipt, history: _history, ...bare } = bundle;
		bundle = bare;
		expect(await found()).toEqual([
			['one', [], ['no_receipt'], false],
			['two', [], ['no_receipt'], false]
		]);
		expect(countVerifiable(bare)).toBe(0);
		expect(countVerifiable({ ...bare, receipt: steps })).toBe(0);
	});

	it('names a command whose files are not carried', async () => {
		bundle.history = bundle.history?.filter((each) => each.checkpoint !== 'c2') ?? [];
		expect(await found()).toEqual([GOOD[0], ['two', ['no_files'], [], false]]);
		// The first checkpoint is the import, where the visitor starts.
		bundle.checkpoints = [{ id: 'c2', tree: 't', label: 'l', timestamp: 0, entryId: null }];
		expect(await found()).toEqual(GOOD);
	});

	it('is contradicted by another command, output or exit code in the conversation', async () => {
		eventAt(1, 'tool_call_start').arguments = { command: 'other' };
		expect(await found()).toEqual([['other', ['altered_command'], [], true], GOOD[1]]);
		bundle.entries = entriesOf(...EVENTS);
		eventAt(3, 'tool_call_end').output = 'other';
		expect((await found())[0]).toEqual(['one', ['altered_output'], [], true]);
		bundle.entries = entriesOf(...EVENTS);
		eventAt(3, 'tool_call_end').isError = true;
		expect((await found())[0]).toEqual(['one', ['altered_exit_code'], [], true]);
		bundle.entries = entriesOf(...EVENTS.slice(0, 3), end('a', 'one', 2), ...EVENTS.slice(4));
		bundle.receipt = [{ ...steps[0]!, exitCode: 1 }, steps[1]!];
		expect((await found())[0]).toEqual(['one', ['altered_exit_code'], [], true]);
	});

	it('is contradicted by another command than was run, though the conversation shows it in both places', async () => {
		const other = { ...end('a', 'other'), output: 'output of one\n' } as Event<'tool_call_end'>;
		bundle.entries = entriesOf(session, start('a', { command: 'other' }), checkpoint('c1'), other);
		bundle.receipt = [steps[0]!];
		expect((await found())[0]).toEqual(['other', ['altered_command'], [], true]);
	});

	it('is of a command that its call does not show, too', async () => {
		bundle.entries = entriesOf(session, start('a', {}), checkpoint('c1'), end('a', 'one'), checkpoint('c2'));
		bundle.receipt = await makeReceipt(bundle.entries, HASHES);
		expect(await found()).toEqual([['one', [], [], true]]);
	});

	it('has no beginning behind a step that stands for no shown call', async () => {
		const [recorded] = recordedCommands(bundle.entries);
		const link = await nextLink(null as never, steps[0]!, recorded!);
		bundle.receipt = [
			{ ...steps[0]!, callId: 'x' },
			{ ...steps[0]!, link }
		];
		expect((await found())[1]).toEqual(['one', ['other_chain'], [], true]);
	});

	it('says of a step that stands for no shown call, and of one that stands twice', async () => {
		bundle.receipt = [{ ...steps[0]!, callId: 'x' }, ...steps];
		expect((await found())[0]).toEqual(['', ['not_shown'], [], false]);
		bundle.receipt = [steps[0]!, steps[0]!, steps[1]!];
		const twice = ['one', ['ambiguous'], [], true];
		expect(await found()).toEqual([twice, twice, GOOD[1]]);
		bundle.receipt = [steps[1]!, steps[0]!];
		expect(await found()).toEqual([
			['two', ['other_chain'], [], true],
			['one', ['out_of_order'], [], true]
		]);
	});

	it('of a command on a machine names it, and is contradicted by another machine than the conversation’s', async () => {
		const machine = { kind: 'docker', name: 'n', tree: 't', files: 1, durationMs: 1 } as const;
		bundle.entries = entriesOf(session, { type: 'machine_change', action: 'move', ...machine }, ...EVENTS.slice(1));
		const made = await makeReceipt(bundle.entries, HASHES);
		bundle.receipt = made;
		expect(made.map((step) => step.machine)).toEqual(['docker', 'docker']);
		expect(await found()).toEqual(GOOD);
		expect((await inspectReceipt(bundle)).map((each) => each.machine)).toEqual(['docker', 'docker']);
		bundle.receipt = made.map((step) => ({ ...step, machine: 'host' }));
		expect((await found())[0]).toEqual(['one', ['other_chain'], [], true]);
		const older = made.map(({ link: _, ...step }) => step);
		bundle.receipt = older;
		expect((await found())[0]).toEqual(['one', [], ['older_kind'], true]);
		bundle.receipt = older.map((step) => ({ ...step, machine: 'host' }));
		expect((await found())[0]).toEqual(['one', ['other_chain'], ['older_kind'], true]);
		bundle.receipt = older.map(({ machine: _, ...step }) => step);
		expect((await found())[0]).toEqual(['one', [], ['older_kind'], true]);
	});

	it('is of output as it is shown, and of an older kind with its colours', async () => {
		const coloured = { ...end('a', 'one'), output: '\u001b[31mred\u001b[0m\n' } as Event<'tool_call_end'>;
		bundle.entries = entriesOf(...EVENTS.slice(0, 3), coloured);
		const [step] = await makeReceipt(bundle.entries, HASHES);
		bundle.receipt = [step!];
		expect(await found()).toEqual([['one', [], ['no_files_after'], true]]);
		const { link: _link, ...older } = step!;
		bundle.receipt = [older];
		expect(await found()).toEqual([['one', ['altered_output'], ['older_kind', 'no_files_after'], true]]);
		bundle.receipt = [{ ...older, output: await sha256('\u001b[31mred\u001b[0m') }];
		expect(await found()).toEqual([['one', [], ['older_kind', 'no_files_after'], true]]);
	});

	it('is of an older kind without links, and says less without the files after a command', async () => {
		bundle.receipt = steps.map(({ link: _, ...step }) => step);
		expect(await found()).toEqual([
			['one', [], ['older_kind'], true],
			['two', [], ['older_kind'], true]
		]);
		bundle.receipt = bundle.receipt.map((step) => ({ ...step, after: null }));
		expect((await found())[0]).toEqual(['one', [], ['older_kind', 'no_files_after'], true]);
	});
});

describe('the conversation of a receipt', () => {
	it('shows commands of helpers too, and calls that are none', async () => {
		const header = { sessionId: 's', seq: 90, timestamp: 0 };
		const inner = { ...header, ...start('helper', { command: 'by a helper' }) };
		const deep = { ...header, type: 'subagent_event' as const, agentId: 'b', event: inner };
		bundle.entries = entriesOf(
			...EVENTS,
			{ type: 'subagent_event', agentId: 'a', event: deep },
			start('read', { path: 'a' })
		);
		expect(await found()).toEqual([...GOOD, ['by a helper', [], ['no_receipt'], false]]);
	});

	it('is ambiguous where a call has two cards, by its starts or by its ends', async () => {
		for (const again of [start('a', { command: 'one' }), end('a', 'one')]) {
			bundle.entries = entriesOf(...EVENTS, again);
			const [first, second] = await found();
			expect(first).toEqual(['one', ['ambiguous'], [], true]);
			expect(second).toEqual(GOOD[1]);
		}
	});

	it('tells the machine of a command until it comes back or is a fork', () => {
		const machine = { kind: 'docker', name: 'n', tree: 't', files: 1, durationMs: 1 } as const;
		const run = (callId: string) => [start(callId, { cmd: callId }), checkpoint('c1'), end(callId, callId)];
		const entries = entriesOf(
			...run('a'),
			{ type: 'machine_change', action: 'move', ...machine },
			...run('b'),
			{ type: 'machine_change', action: 'lost', ...machine },
			...run('c'),
			{ type: 'machine_change', action: 'move', ...machine },
			{ type: 'session_fork' },
			...run('d')
		);
		expect(recordedCommands(entries).map(({ callId, machine: where }) => [callId, where])).toEqual([
			['a', undefined],
			['b', 'docker'],
			['c', undefined],
			['d', undefined]
		]);
	});

	it.each(['working_dir', 'workdir', 'dir_path', 'cwd', 'directory'])('tells the folder of a command by %s', (name) => {
		const of = (value: unknown) =>
			recordedCommands(entriesOf(start('a', { command: 'x', [name]: value }), checkpoint('c1'), end('a', 'x')))[0];
		expect(of('src')).toMatchObject({ cwd: 'src', checkpoint: 'c1', next: null });
		for (const none of ['', 7, null]) expect(of(none)).not.toHaveProperty('cwd');
	});

	it('has no command that was refused, ran on, or whose call is another', () => {
		const commands = (...events: EventBody[]) => recordedCommands(entriesOf(...events)).map(({ callId }) => callId);
		const ended = end('a', 'x') as Event<'tool_call_end'>;
		const details = ended.details as object;
		const began = [start('a', { command: 'x' }), checkpoint('c1')];
		expect(commands(...began, ended)).toEqual(['a']);
		for (const other of [{ truncated: true }, { timedOut: true }, { refused: 'by the user' }, { exitCode: null }])
			expect(commands(...began, { ...ended, details: { ...details, ...other } })).toEqual([]);
		expect(commands(...began, { ...ended, callId: 'b' })).toEqual([]);
		expect(commands(start('a', { command: 'x' }), ended)).toEqual([]);
		const printed: EventBody = { type: 'tool_call_output_delta', callId: 'a', delta: 'out' };
		expect(commands(...began, printed, ended)).toEqual(['a']);
		// A second end has no start of its own.
		expect(commands(...began, ended, ended)).toEqual(['a']);
	});

	it('knows the files after a command only where nothing else could change them', () => {
		const next = (...events: Parameters<typeof entriesOf>) =>
			recordedCommands(entriesOf(start('a', { command: 'x' }), checkpoint('c1'), end('a', 'x'), ...events))[0]?.next;
		const delta: EventBody = { type: 'tool_call_delta', callId: 'b', toolName: 'shell', partialArguments: {} };
		expect(next(checkpoint('c2'))).toBe('c2');
		expect(next({ type: 'turn_start', turnIndex: 1 }, checkpoint('c2'))).toBe('c2');
		const message = { type: 'entry', entry: { type: 'message', message: { role: 'tool', content: [] } } } as const;
		expect(next(start('b', {}), message, checkpoint('c2'))).toBe('c2');
		expect(next(start('b', {}), delta, checkpoint('c2'))).toBe('c2');
		expect(next(start('b', {}), end('b', 'y'), checkpoint('c2'))).toBeNull();
		expect(next({ type: 'user_input', content: [] }, checkpoint('c2'))).toBeNull();
		const usage = {
			inputTokens: 0,
			outputTokens: 0,
			reasoningTokens: 0,
			cacheReadTokens: 0,
			cacheWriteTokens: 0,
			costUsd: null
		};
		const result = { text: '', stopReason: 'end_turn', turns: 1, usage } as const;
		expect(next({ type: 'agent_end', result }, checkpoint('c2'))).toBeNull();
		expect(next()).toBeNull();
	});

	it('has the links that receipts of other versions have', () => {
		expect(steps.map(({ link }) => link)).toEqual([
			'0e91374adc3de961053cdf3ac3c913e4b222163f0d1205e35e96d37ea960e4c0',
			'b1b2ea1dadc6851faa18e38219e2437fa56e44c7602002e329d5ddbc959e222b'
		]);
	});

	it('is bound to the receipt by all that it shows, and each step to the one before', async () => {
		const links = async (...changes: [at: number, fields: object][]): Promise<boolean[]> => {
			const entries = structuredClone(entriesOf(...EVENTS));
			for (const [at, fields] of changes) {
				const entry = entries[at]!;
				Object.assign(entry.type === 'event' ? entry.event : entry, fields);
			}
			const made = await makeReceipt(entries, HASHES);
			return made.map(({ link }, at) => link === steps[at]?.link);
		};
		expect(await links()).toEqual([true, true]);
		expect(await links([0, { sessionId: 'other' }])).toEqual([false, false]);
		expect(await links([3, { output: 'other' }])).toEqual([false, false]);
		expect(await links([1, { arguments: { command: 'shown otherwise' } }])).toEqual([false, false]);
		expect(await links([1, { arguments: { command: 'one', cwd: 'src' } }])).toEqual([false, false]);
		expect(await links([6, { isError: false }])).toEqual([true, false]);
		expect(await makeReceipt(entriesOf(...EVENTS), new Map())).toEqual([]);
	});
});
