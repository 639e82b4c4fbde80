import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventOf } from '#agent/events.ts';
import type { ShareBundle } from '#session/contract.ts';
import { packBundle, unpackBundle } from '#session/share/bundle.ts';
import { collectShare } from '#session/share/collect.ts';
import { verdictOf, type Verified } from '#session/share/match.ts';
import { verifyReceipt } from '#session/share/verify.ts';
import { importRepository } from '#workspace/import/import.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { SessionOnDisk } from '../replays/session-on-disk.ts';

/** An unmodified share of a session of four commands. */
let honest: ShareBundle;
/** The same commands in a separate session. */
let another: ShareBundle;

beforeAll(async () => {
	[honest, another] = [await share('first', 'Begin.'), await share('second', 'Begin.')];
});
afterAll(removeTemporary);

async function share(sessionId: string, said: string): Promise<ShareBundle> {
	const session = await SessionOnDisk.begin(await createTemporary(), { 'a.txt': 'one\n', 'b.txt': 'two\n' });
	session.log.append({ type: 'session', version: 3, sessionId, title: '' });
	session.say(said);
	for (const command of ['cat a.txt', 'echo three > c.txt; ls', 'grep four b.txt', 'cat c.txt'])
		await session.run(command);
	await session.checkpoint('turn');
	const { bundle } = await collectShare(session.workspace, session.collected(), {
		viewOnly: false,
		keepSecrets: [],
		history: true
	});
	await session.end();
	return bundle;
}

type CallEnd = EventOf<'tool_call_end'> & { details: { command: string; exitCode: number } };
const endsOf = ({ entries }: ShareBundle): CallEnd[] =>
	entries.flatMap((entry) =>
		entry.type === 'event' && entry.event.type === 'tool_call_end' ? [entry.event as CallEnd] : []
	);
const startsOf = ({ entries }: ShareBundle): EventOf<'tool_call_start'>[] =>
	entries.flatMap((entry) => (entry.type === 'event' && entry.event.type === 'tool_call_start' ? [entry.event] : []));

/** Verifies a modified share. */
async function verified(forge: (bundle: ShareBundle) => void = () => {}, of = honest): Promise<Verified[]> {
	const copy = structuredClone(of);
	forge(copy);
	const bundle = await unpackBundle(await packBundle(copy));
	const environment = await createTemporary();
	const results: Verified[] = [];
	for await (const result of verifyReceipt(bundle, environment, importRepository)) results.push(result);
	await environment.cleanup();
	return results;
}

/** Verdict for each command, in the order of the conversation. */
function told(results: Verified[], of = honest): string[][] {
	const order = startsOf(of).map(({ callId }) => callId);
	const place = (callId: string): number => (order.includes(callId) ? order.indexOf(callId) : order.length);
	return results
		.toSorted((a, b) => place(a.callId) - place(b.callId))
		.map(({ problems, gaps }) => [...problems, ...gaps]);
}

describe('verifying commands of a machine', () => {
	/** A program that the machine has, but the verifier does not. */
	let compiler: string;
	let moved: ShareBundle;
	beforeAll(async () => {
		compiler = path.join(mkdtempSync(path.join(tmpdir(), 'sandglass-compiler-')), 'cc');
		writeFileSync(compiler, '');
		const session = await SessionOnDisk.begin(await createTemporary(), { 'a.txt': 'one\n' });
		session.log.append({ type: 'session', version: 3, sessionId: 'moved', title: '' });
		session.say('Begin.');
		await session.run('cat a.txt');
		session.move('docker');
		await session.run('cat a.txt; echo again');
		await session.run(`cat ${compiler} && echo compiled > main`);
		session.move(null);
		await session.run('cat main');
		await session.checkpoint('turn');
		const options = { viewOnly: false, keepSecrets: [], history: true };
		({ bundle: moved } = await collectShare(session.workspace, session.collected(), options));
		await session.end();
		rmSync(path.dirname(compiler), { recursive: true });
	});

	it('names the machine, and takes another result for no contradiction', async () => {
		const results = await verified(undefined, moved);
		expect(results.map((result) => [verdictOf(result), result.machine ?? 'tab'])).toEqual([
			['match', 'tab'],
			['match', 'docker'],
			['elsewhere', 'docker'],
			['match', 'tab']
		]);
		expect(results[2]?.printed).toContain('No such file');
		expect(results[2]?.exitCode).toEqual({ recorded: 0, here: 1 });
	});

	it.each<[string, (bundle: ShareBundle) => void, string[][]]>([
		[
			'a move that the conversation hides',
			({ entries }) => {
				for (const entry of entries)
					if (entry.type === 'event' && entry.event.type === 'machine_change') entry.event.action = 'return';
			},
			[[], ['other_chain'], ['other_chain', 'files_after', 'output', 'exit_code'], []]
		],
		[
			'a machine taken out of the receipt',
			({ receipt = [] }) => delete receipt[1]?.machine,
			[[], ['other_chain'], ['other_machine'], []]
		],
		[
			'a machine put into the receipt',
			({ receipt = [] }) => Object.assign(receipt[3] ?? {}, { machine: 'docker' }),
			[[], [], ['other_machine'], ['other_chain']]
		]
	])('is not believed %s', async (_title, forge, expected) => {
		const results = await verified(forge, moved);
		expect(told(results, moved)).toEqual(expected);
	});
});

describe('verifying a share', () => {
	it('finds each command of a share that no one changed to match', async () => {
		const results = await verified();
		expect(results.map(verdictOf)).toEqual(['match', 'match', 'match', 'match']);
		expect(results.map(({ command }) => command)).toEqual([
			'cat a.txt',
			'echo three > c.txt; ls',
			'grep four b.txt',
			'cat c.txt'
		]);
		expect(results.map(({ exitCode }) => exitCode?.here)).toEqual([0, 0, 1, 0]);
	});

	it.each<[string, (bundle: ShareBundle) => void, string[][]]>([
		['an altered output', (b) => (endsOf(b)[0]!.output = 'five\n'), [['altered_output'], [], [], []]],
		['an output that is drawn over', (b) => (endsOf(b)[0]!.output = 'one\rfive\n'), [['altered_output'], [], [], []]],
		[
			'an altered command',
			(b) => (startsOf(b)[0]!.arguments = { command: 'npm test' }),
			[['altered_command'], [], [], []]
		],
		[
			'a command that is altered wherever it stands',
			(b) => {
				startsOf(b)[0]!.arguments = { command: 'npm test' };
				endsOf(b)[0]!.details.command = 'npm test';
			},
			[['altered_command', 'output', 'exit_code'], [], [], []]
		],
		[
			'an altered exit code',
			(b) => {
				endsOf(b)[2]!.details.exitCode = 0;
				endsOf(b)[2]!.isError = false;
			},
			[[], [], ['altered_output', 'altered_exit_code'], []]
		],
		['a success shown as a failure', (b) => (endsOf(b)[0]!.isError = true), [['altered_exit_code'], [], [], []]],
		[
			'an exit code written into the output',
			(b) => (endsOf(b)[0]!.output = 'one\n[Exit code: 7]'),
			[['altered_output'], [], [], []]
		],
		[
			'two steps that changed places',
			(b) => (b.receipt = [1, 0, 2, 3].map((at) => b.receipt![at]!)),
			[['out_of_order'], ['other_chain'], ['other_chain'], []]
		],
		[
			'a missing step',
			(b) => (b.receipt = b.receipt!.filter((_, at) => at !== 1)),
			[[], ['no_receipt'], ['other_chain'], []]
		],
		[
			'an extra step',
			(b) => b.receipt!.splice(1, 0, { ...b.receipt![0]!, callId: 'nowhere' }),
			[[], ['other_chain'], [], [], ['not_shown']]
		],
		[
			'the receipt of another session',
			(b) =>
				(b.entries = b.entries.map((entry) => (entry.type === 'session' ? { ...entry, sessionId: 'other' } : entry))),
			[['other_chain'], [], [], []]
		],
		[
			'a changed file',
			(b) => {
				const file = { mode: 0o100644, base64: btoa('forged\n') };
				b.files['a.txt'] = file;
				b.before['a.txt'] = file;
			},
			[
				['files_before', 'files_after', 'output'],
				['files_before', 'files_after'],
				['files_before', 'files_after'],
				['files_before', 'files_after']
			]
		],
		[
			'files of a step that are not carried',
			(b) => (b.receipt![0] = { ...b.receipt![0]!, checkpoint: 'gone' }),
			[['other_chain', 'no_files'], [], [], []]
		],
		[
			'a step that does not say what files it left',
			(b) => (b.receipt![3] = { ...b.receipt![3]!, after: null }),
			[[], [], [], ['other_chain', 'no_files_after']]
		],
		[
			'a second card of the same call',
			(b) => {
				const at = b.entries.findIndex((entry) => entry.type === 'event' && entry.event.type === 'tool_call_end');
				const end = b.entries[at]!;
				const forged = { ...endsOf(b)[0]!, output: 'all 40 tests pass' };
				const next = b.entries[at + 1]!;
				b.entries.splice(at + 1, 0, { ...end, id: 'twice', parentId: end.id, event: forged } as never);
				next.parentId = 'twice';
			},
			[['ambiguous'], [], [], []]
		],
		[
			'a command of a helper that was never run',
			(b) => {
				const last = b.entries.at(-1)!;
				const event = { ...startsOf(b)[0]!, callId: 'helper', arguments: { command: 'npm test' } };
				b.entries.push({
					id: 'helper',
					parentId: last.id,
					timestamp: 1,
					type: 'event',
					event: { type: 'subagent_event', agentId: 'a', sessionId: 's', seq: 99, timestamp: 1, event }
				});
			},
			[[], [], [], [], ['no_receipt']]
		]
	])('tells of %s', async (_, forge, expected) => {
		expect(told(await verified(forge))).toEqual(expected);
	});

	it('tells of the receipt of another session, whatever its calls are called', async () => {
		const results = await verified((bundle) => (bundle.receipt = structuredClone(another.receipt!)));
		expect(results.map(verdictOf)).not.toContain('match');
	});

	it('says of a receipt of an older kind what it is, and still compares what is shown', async () => {
		const older = (bundle: ShareBundle): void => {
			for (const step of bundle.receipt!) delete step.link;
		};
		expect((await verified(older)).map(verdictOf)).toEqual(['partial', 'partial', 'partial', 'partial']);
		const forged = await verified((bundle) => {
			older(bundle);
			endsOf(bundle)[0]!.output = 'five\n';
		});
		expect(told(forged)[0]).toEqual(['altered_output', 'older_kind']);
	});

	it('is not led to match by a receipt that is made again for what is shown', async () => {
		const { makeReceipt } = await import('#session/share/receipt.ts');
		const copy = structuredClone(honest);
		endsOf(copy)[0]!.output = 'all 40 tests pass\n';
		const hashes = new Map(copy.receipt!.map(({ checkpoint, before }) => [checkpoint, before]));
		copy.receipt = await makeReceipt(copy.entries, hashes);
		const [first] = told(await verified(() => {}, copy));
		expect(first).toContain('output');
	});
});
