import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { blobId } from '#environment/blob-id.ts';
import type { LoadEntry } from '#environment/contract.ts';
import { Mode } from '#environment/mode.ts';
import type { ShareBundle } from '#session/contract.ts';
import type { Verified } from '#session/share/match.ts';
import { makeReceipt } from '#session/share/receipt.ts';
import { treeHash } from '#session/share/sha256.ts';
import { verifyReceipt } from '#session/share/verify.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import type { ImportRepository } from '#workspace/contract.ts';
import { checkpoint, end, entriesOf, session, start } from './commands.ts';
import { emptyShare } from './crafted.ts';

afterAll(removeTemporary);

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const file = (text: string) => ({ mode: Mode.file, base64: btoa(text) });
const step = (id: string, files: ShareBundle['files'] = {}) => ({ checkpoint: id, files, removed: [], empty: [] });

/** Hash of the files of a checkpoint. */
async function hashOf(files: Record<string, string>): Promise<string> {
	const entries = Object.entries(files).map(
		async ([path, text]) => [path, { mode: Mode.file, blob: await blobId(bytes(text)) }] as const
	);
	return treeHash(new Map(await Promise.all(entries)));
}
const IMPORTED = { 'a.txt': 'one\n', '.gitignore': 'built\n' };
const COLOURED = "printf '\\033[31mred\\033[0m\\n'; ls";
const printed = (command: ReturnType<typeof end>, output: string) => ({ ...command, output }) as typeof command;

/** Imports files that git would ignore, too. */
const importFiles: ImportRepository = async (_source, environment) => {
	async function* files(): AsyncGenerator<LoadEntry> {
		for (const [path, text] of Object.entries({ ...IMPORTED, built: 'x' }))
			yield { path, mode: Mode.file, bytes: bytes(text) };
	}
	await (await environment).load(files());
	return { origin: emptyShare.origin, files: 3, bytes: 0, notices: [] };
};

let bundle: ShareBundle;
beforeEach(async () => {
	const entries = entriesOf(
		session,
		start('a', { command: COLOURED }),
		checkpoint('c1'),
		printed(end('a', COLOURED), '\u001b[31mred\u001b[0m\na.txt\nbuilt\n'),
		// The user may change files before the next command.
		{ type: 'user_input', content: [{ type: 'text', text: 'And now?' }] },
		start('b', { command: 'cat b.txt; echo made > made.txt', workdir: 'folder' }),
		checkpoint('c2'),
		printed(end('b', 'cat b.txt; echo made > made.txt'), 'two\n'),
		checkpoint('c3')
	);
	const added = { ...IMPORTED, 'folder/b.txt': 'two\n' };
	const hashes = new Map([
		['c1', await hashOf(IMPORTED)],
		['c2', await hashOf(added)],
		['c3', await hashOf({ ...added, 'folder/made.txt': 'made\n' })]
	]);
	bundle = {
		...emptyShare,
		entries,
		checkpoints: [{ id: 'c1', tree: 't', label: 'Imported', timestamp: 0, entryId: null }],
		receipt: await makeReceipt(entries, hashes),
		history: [step('c2', { 'folder/b.txt': file('two\n') }), step('c3', { 'folder/made.txt': file('made\n') })]
	};
});

async function verified(): Promise<Verified[]> {
	const environment = await createTemporary();
	const results: Verified[] = [];
	for await (const result of verifyReceipt(bundle, environment, importFiles)) results.push(result);
	await environment.cleanup();
	return results;
}
/** Contradictions of each command, and data missing for verification. */
const found = async (): Promise<string[][]> =>
	(await verified()).map(({ callId, problems, gaps }) => [callId, ...problems, ...gaps]);

describe('a command of a share', () => {
	it('is run again on its files and in its folder, and matches by its files, output and exit code', async () => {
		const same = { problems: [], gaps: ['no_files_after'], exitCode: { recorded: 0, here: 0 } };
		expect(await verified()).toEqual([
			{ callId: 'a', command: COLOURED, ...same },
			{ callId: 'b', command: 'cat b.txt; echo made > made.txt', ...same, gaps: [] }
		]);
	});

	it('is compared with all files of a repository that is fetched, whatever it ignores', async () => {
		bundle.base = { url: 'https://github.com/a/b', commit: '0'.repeat(40) };
		expect(await found()).toEqual([
			['a', 'files_before', 'no_files_after'],
			['b', 'files_before', 'files_after']
		]);
	});

	it('has its colours in a receipt of an older kind', async () => {
		bundle.receipt = bundle.receipt?.map(({ link: _, ...older }) => older) ?? [];
		expect(await found()).toEqual([
			['a', 'altered_output', 'output', 'older_kind', 'no_files_after'],
			['b', 'older_kind']
		]);
	});

	it('is run where its files are carried: at the import, or at a later step', async () => {
		const { history: _, ...bare } = bundle;
		bundle = bare;
		expect(await found()).toEqual([
			['b', 'no_files'],
			['a', 'no_files_after']
		]);
	});

	it('is run in a share that names no import, too', async () => {
		bundle.checkpoints = [];
		expect(await found()).toEqual([['a', 'no_files', 'no_files_after'], ['b']]);
	});
});
