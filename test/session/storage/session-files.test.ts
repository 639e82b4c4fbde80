import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { blobId } from '#environment/blob-id.ts';
import { MemoryFolder } from '#session/storage/memory-file.ts';
import { SessionFiles } from '#session/storage/session-files.ts';
import type { StoredChange } from '#session/storage/messages.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const write = (path: string, text: string): StoredChange => ({
	kind: 'write',
	path,
	mode: 0o100644,
	bytes: bytes(text)
});

async function contents(files: SessionFiles): Promise<Record<string, string>> {
	const result: Record<string, string> = {};
	for (const [path, entry] of files.state.files) {
		result[path] = new TextDecoder().decode((await files.readBlob(entry.blob)) ?? bytes('MISSING'));
	}
	return result;
}

describe('a session on disk', () => {
	it('gives back files, modes, renames and removals after reopening', async () => {
		const folder = new MemoryFolder();
		const first = await SessionFiles.open(folder);
		await first.appendChanges([
			write('/workspace/a.txt', 'one'),
			write('/workspace/dir/b.txt', 'two'),
			write('/workspace/dir/c.txt', 'three'),
			{ kind: 'rename', path: '/workspace/dir', to: '/workspace/moved' },
			{ kind: 'remove', path: '/workspace/moved/c.txt' },
			{ kind: 'mode', path: '/workspace/a.txt', mode: 0o100755 },
			write('/workspace/a.txt', 'one more'),
			{ kind: 'mode', path: '/workspace/moved/b.txt', mode: 0o100755 }
		]);
		await first.close();
		const again = await SessionFiles.open(folder);
		expect([...again.state.files].map(([path, { mode }]) => [path, mode])).toEqual([
			['/workspace/a.txt', 0o100644],
			['/workspace/moved/b.txt', 0o100755]
		]);
		expect(await contents(again)).toEqual({ '/workspace/a.txt': 'one more', '/workspace/moved/b.txt': 'two' });
		expect(again.warnings).toEqual([]);
	});

	it('is flushed once for what was written: contents, then the files that name them, then the conversation', async () => {
		const folder = new MemoryFolder();
		const files = await SessionFiles.open(folder);
		const flushed: string[] = [];
		for (const [name, file] of folder.files) file.flush = async () => void flushed.push(name);
		const order = ['blobs.pack', 'files.jsonl', 'log.jsonl'];
		// Data written by a tab before it crashed may not be on disk yet.
		await files.flush();
		expect(flushed.splice(0)).toEqual(order);
		await files.flush();
		expect(flushed).toEqual([]);
		const writes = [
			() => files.appendEntries([{ id: 1 }]),
			() => files.appendChanges([write('/workspace/a', 'a')]),
			() => files.addBlobs([bytes('apart')]),
			() => files.addTree('t', new Map())
		];
		for (const each of writes) {
			await each();
			await files.flush();
			expect(flushed.splice(0)).toEqual(order);
		}
		await files.appendEntries([{ id: 2 }]);
		const log = folder.files.get('log.jsonl')!;
		const flush = log.flush.bind(log);
		log.flush = () => Promise.reject(new Error('no disk'));
		await expect(files.flush()).rejects.toThrow('no disk');
		log.flush = flush;
		flushed.length = 0;
		await files.flush();
		expect(flushed).toEqual(order);
	});

	it('names blobs as git does', async () => {
		expect(await blobId(bytes('hello\n'))).toBe('ce013625030ba8dba906f756967f9e9ca394464a');
	});

	it('keeps a tree as the difference from the last one and gives back each whole', async () => {
		const folder = new MemoryFolder();
		const files = await SessionFiles.open(folder);
		const tree = (paths: string[]) =>
			new Map(paths.map((path) => [path, { mode: 0o100644, blob: path.padEnd(40, '0') }]));
		await files.addTree('t1', tree(['a', 'b']));
		// In parts, one of which arrived twice.
		files.addTreePart('t2', tree(['b']));
		files.addTreePart('t2', tree(['b']));
		await files.addTree('t2', tree(['c']));
		await files.addTree('t2', tree(['ignored']));
		const again = await SessionFiles.open(folder);
		expect([...(again.state.tree('t1')?.keys() ?? [])].sort()).toEqual(['a', 'b']);
		expect([...(again.state.tree('t2')?.keys() ?? [])].sort()).toEqual(['b', 'c']);
	});

	it('parts from another session with what its trees name and nothing else', async () => {
		const parent = await SessionFiles.open(new MemoryFolder());
		await parent.appendChanges([
			...['a', 'b', 'c', 'd'].map((name) => write(`/workspace/${name}`, `content of ${name}`)),
			{ kind: 'mkdir', path: '/workspace' },
			write('/home/user/.profile', 'home')
		]);
		const tree = async (texts: Record<string, string>) => {
			const entries = Object.entries(texts).map(async ([path, text]) => {
				const entry = { mode: 0o100644, blob: await blobId(bytes(text)) };
				return [path, entry] as const;
			});
			return new Map(await Promise.all(entries));
		};
		const [start, then] = [await tree({ a: 'content of a' }), await tree({ a: 'content of a', c: 'content of c' })];
		await parent.addTree('start', start);
		await parent.addTree('then', then);
		const folder = new MemoryFolder();
		const begin = { trees: ['start', 'then'], files: 'then', root: '/workspace' };
		await (await SessionFiles.fork(folder, parent, begin)).close();
		const fork = await SessionFiles.open(folder);
		const wanted = {
			'/workspace/a': 'content of a',
			'/workspace/c': 'content of c',
			'/home/user/.profile': 'home'
		};
		expect(await contents(fork)).toEqual(wanted);
		expect([fork.state.tree('start'), fork.state.tree('then')]).toEqual([start, then]);
		expect(await fork.readBlob(await blobId(bytes('content of b')))).toBeNull();
		expect(fork.warnings).toEqual([]);
		await expect(SessionFiles.fork(new MemoryFolder(), parent, { ...begin, files: 'none' })).rejects.toThrow(
			'not stored any more'
		);
	});

	it('skips a damaged line with a warning and keeps the rest', async () => {
		const folder = new MemoryFolder();
		const log = await folder.open('log.jsonl');
		await log.append(bytes('{"id":1}\n{"id":\n{"id":3}\n{"id":4'));
		const files = await SessionFiles.open(folder);
		expect(files.entries).toEqual([{ id: 1 }, { id: 3 }]);
		expect(files.warnings).toHaveLength(2);
		await files.appendEntries([{ id: 5 }]);
		expect((await SessionFiles.open(folder)).entries).toEqual([{ id: 1 }, { id: 3 }, { id: 5 }]);
	});

	it('shows every whole step and no half one, wherever a crash cuts each file', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(
					fc.record({ path: fc.constantFrom('/workspace/a', '/workspace/b'), text: fc.string({ maxLength: 40 }) }),
					{
						minLength: 1,
						maxLength: 8
					}
				),
				fc.double({ min: 0, max: 1, noNaN: true }),
				fc.double({ min: 0, max: 1, noNaN: true }),
				async (steps, packCut, journalCut) => {
					const folder = new MemoryFolder();
					const files = await SessionFiles.open(folder);
					const history: Record<string, string>[] = [{}];
					for (const step of steps) {
						await files.appendChanges([write(step.path, step.text)]);
						history.push({ ...history.at(-1), [step.path]: step.text });
					}
					const pack = await folder.open('blobs.pack');
					const journal = await folder.open('files.jsonl');
					// The pack is flushed before the journal, so it can only be truncated if the journal is too.
					await journal.truncate(Math.floor(journal.size() * journalCut));
					if (journal.size() === 0) await pack.truncate(Math.floor(pack.size() * packCut));
					const reopened = await SessionFiles.open(folder);
					expect(history).toContainEqual(await contents(reopened));
					await reopened.appendChanges([write('/workspace/after', 'x')]);
					expect((await contents(await SessionFiles.open(folder)))['/workspace/after']).toBe('x');
				}
			),
			{ numRuns: 200 }
		);
	});
});
