import { describe, expect, it } from 'vitest';
import { blobId } from '#environment/blob-id.ts';
import { StorageFullError } from '#session/storage/append-file.ts';
import { MemoryFolder } from '#session/storage/memory-file.ts';
import { SessionFiles } from '#session/storage/session-files.ts';
import { bytes, bytesOf, contents, FILES, LOG, playDamage, replace, stored, write } from './damaged.ts';

/** Flips one bit of the first byte of a text. */
async function flip(folder: MemoryFolder, name: string, text: string, at = 0): Promise<void> {
	const content = (await bytesOf(folder, name)).slice();
	const place = Buffer.from(content).indexOf(text);
	expect(place).toBeGreaterThan(-1);
	content[place + at] = (content[place + at] ?? 0) ^ 4;
	await replace(folder, name, content);
}

describe('a session that is whole', () => {
	it('has no damage', async () => {
		const files = await SessionFiles.open(await stored());
		expect([files.damage, files.warnings]).toEqual([[], []]);
		expect(await contents(files)).toEqual(FILES);
	});
});

describe('contents', () => {
	it('that do not fit their id are not given, and the others are', async () => {
		const folder = await stored();
		await flip(folder, 'blobs.pack', 'the second one');
		expect(await contents(await SessionFiles.open(folder))).toEqual({ ...FILES, b: null });
	});

	it('that are damaged are stored again when the same is written again', async () => {
		const folder = await stored();
		await flip(folder, 'blobs.pack', 'the second one');
		const files = await SessionFiles.open(folder);
		await files.appendChanges([write('b', 'the second one')]);
		await files.close();
		expect(await contents(await SessionFiles.open(folder))).toEqual(FILES);
	});

	it('whose ids were swapped are found by what they are', async () => {
		const folder = await stored();
		const content = (await bytesOf(folder, 'blobs.pack')).slice();
		const headers = ['content of a', 'the second one'].map((text) => Buffer.from(content).indexOf(text) - 20);
		const [first = 0, second = 0] = headers;
		const kept = content.slice(first, first + 20);
		content.copyWithin(first, second, second + 20);
		content.set(kept, second);
		await replace(folder, 'blobs.pack', content);
		expect(await contents(await SessionFiles.open(folder))).toEqual(FILES);
	});

	it('behind a record whose header is damaged are still there, and only its own is lost', async () => {
		for (const at of [-28, -27, -24, -22, -21]) {
			const folder = await stored();
			await flip(folder, 'blobs.pack', 'the second one', at);
			const files = await SessionFiles.open(folder);
			expect(await contents(files), String(at)).toEqual({ ...FILES, b: null });
			await files.appendChanges([write('e', 'new')]);
			await files.close();
			expect(await contents(await SessionFiles.open(folder)), String(at)).toEqual({ ...FILES, b: null, e: 'new' });
		}
	});

	it('that look like records of their own do not mislead the search for the next whole one', async () => {
		const folder = new MemoryFolder();
		const files = await SessionFiles.open(folder);
		const fake = new Uint8Array(60).fill(10);
		fake.set(bytes('SGB1\0\0\0\x05'));
		await files.appendChanges([write('a', 'first')]);
		await files.appendChanges([
			{ kind: 'write', path: '/workspace/f', mode: 0o100644, bytes: fake },
			write('g', 'after')
		]);
		await files.close();
		const content = (await bytesOf(folder, 'blobs.pack')).slice();
		// The header before the content that looks like one.
		const header = Buffer.from(content).lastIndexOf('SGB1\0\0\0\x05') - 28;
		content[header] = 0;
		await replace(folder, 'blobs.pack', content);
		expect(await contents(await SessionFiles.open(folder))).toEqual({ a: 'first', f: null, g: 'after' });
	});

	it('of a pack that was cut are lost with the changes that brought them, which is said with their paths', async () => {
		const folder = await stored();
		const content = await bytesOf(folder, 'blobs.pack');
		await replace(folder, 'blobs.pack', content.subarray(0, Buffer.from(content).indexOf('of\nlines')));
		const files = await SessionFiles.open(folder);
		expect(await contents(files)).toEqual({ a: FILES['a'], b: FILES['b'] });
		expect(files.damage).toEqual([{ kind: 'last_changes', count: 2, paths: ['/workspace/c', '/workspace/d'] }]);
	});

	it('of a pack that is missing are all lost, which is said; the conversation is there', async () => {
		const folder = await stored();
		folder.files.delete('blobs.pack');
		const files = await SessionFiles.open(folder);
		expect(files.entries).toEqual(LOG);
		expect(files.damage).toEqual([
			{ kind: 'last_changes', count: 4, paths: ['a', 'b', 'c', 'd'].map((name) => `/workspace/${name}`) }
		]);
	});
});

describe('what opening cuts off', () => {
	/** A folder whose files fail and are closed as specified by name. */
	class Watched extends MemoryFolder {
		readonly unclosed = new Set<string>();
		readonly failures = new Map<string, Error>();

		override async open(name: string) {
			const file = await super.open(name);
			this.unclosed.add(name);
			file.close = async () => void this.unclosed.delete(name);
			const failure = this.failures.get(name);
			if (failure) file.append = () => Promise.reject(failure);
			return file;
		}
	}
	async function torn(): Promise<Watched> {
		const folder = new Watched();
		for (const [name, file] of (await stored()).files) folder.files.set(name, file);
		const pack = await bytesOf(folder, 'blobs.pack');
		await replace(folder, 'blobs.pack', pack.subarray(0, pack.length - 2));
		return folder;
	}

	it('is told once: the next time the session is whole', async () => {
		const folder = await torn();
		const lines = await bytesOf(folder, 'files.jsonl');
		const first = await SessionFiles.open(folder);
		expect(first.damage).toEqual([{ kind: 'last_changes', count: 1, paths: ['/workspace/d'] }]);
		expect([...folder.unclosed].sort()).toEqual(['blobs.pack', 'files.jsonl', 'log.jsonl']);
		const [kept, cut] = [await bytesOf(folder, 'files.jsonl'), await bytesOf(folder, 'files.jsonl.cut')];
		expect([...kept, ...cut]).toEqual([...lines]);
		await first.close();
		expect((await SessionFiles.open(folder)).damage).toEqual([]);
	});

	it('is lost where there is no room to keep it, and any other failure leaves no file open', async () => {
		const folder = await torn();
		folder.failures.set('blobs.pack.cut', new StorageFullError());
		await (await SessionFiles.open(folder)).close();
		const broken = await torn();
		broken.failures.set('files.jsonl.cut', new Error('no disk'));
		await expect(SessionFiles.open(broken)).rejects.toThrow('no disk');
		expect(broken.unclosed.size).toBe(0);
	});
});

it('is told to a tab that only reads, too', async () => {
	const folder = await stored();
	expect(await SessionFiles.readLog(folder)).toEqual({ entries: LOG, warnings: [], damage: [] });
	await flip(folder, 'log.jsonl', 'entry 2');
	expect(await SessionFiles.readLog(folder)).toEqual({
		entries: LOG.filter(({ id }) => id !== '2'),
		warnings: ['Line 3 of the session log is damaged and was left out.'],
		damage: [{ kind: 'conversation_lines', count: 1 }]
	});
	await flip(folder, 'files.jsonl', '/workspace/b');
	expect((await SessionFiles.open(folder)).warnings).toEqual([
		'Line 3 of the session log is damaged and was left out.',
		'Line 2 of the file journal is damaged and was left out.'
	]);
	folder.files.clear();
	expect(await SessionFiles.readLog(folder)).toEqual({ entries: [], warnings: [], damage: [] });
});

describe('lines', () => {
	it('in which one bit is another are not taken, even where they are still JSON', async () => {
		for (const [name, text, kind] of [
			['files.jsonl', '/workspace/b', 'change_lines'],
			['files.jsonl', '33188', 'change_lines'],
			['log.jsonl', 'entry 2', 'conversation_lines']
		] as const) {
			const folder = await stored();
			await flip(folder, name, text);
			const files = await SessionFiles.open(folder);
			expect(files.damage).toEqual([{ kind, count: 1 }]);
			if (name === 'log.jsonl') expect(files.entries).toEqual(LOG.filter(({ id }) => id !== '2'));
			else expect(Object.keys(await contents(files))).toHaveLength(3);
		}
	});

	it('of earlier versions, without a checksum, are read', async () => {
		const folder = await stored();
		for (const name of ['log.jsonl', 'files.jsonl']) {
			const text = new TextDecoder().decode(await bytesOf(folder, name));
			await replace(folder, name, bytes(text.replace(/\t[0-9a-f]{8}\n/g, '\n')));
		}
		const files = await SessionFiles.open(folder);
		expect([files.entries, await contents(files), files.damage]).toEqual([LOG, FILES, []]);
	});

	it('that are all gone are distinguished: the conversation, or the list of files', async () => {
		const without = await stored();
		without.files.delete('log.jsonl');
		const noLog = await SessionFiles.open(without);
		expect([noLog.damage, await contents(noLog)]).toEqual([[{ kind: 'conversation_missing' }], FILES]);
		const folder = await stored();
		folder.files.delete('files.jsonl');
		const noJournal = await SessionFiles.open(folder);
		expect([noJournal.damage, noJournal.entries]).toEqual([[{ kind: 'changes_missing', contents: 4 }], LOG]);
		folder.files.delete('log.jsonl');
		expect((await SessionFiles.open(folder)).damage).toEqual([{ kind: 'changes_missing', contents: 4 }]);
		folder.files.delete('blobs.pack');
		expect((await SessionFiles.open(folder)).damage).toEqual([]);
	});

	it('of a checkpoint that builds on a damaged one are reported', async () => {
		const folder = await stored();
		const files = await SessionFiles.open(folder);
		const tree = async (name: string) =>
			new Map([[name, { mode: 0o100644, blob: await blobId(bytes(FILES[name] ?? '')) }]]);
		await files.addTree('one', await tree('a'));
		await files.addTree('two', await tree('b'));
		await files.close();
		await flip(folder, 'files.jsonl', '"id":"one"', 6);
		const again = await SessionFiles.open(folder);
		expect(again.damage).toEqual([
			{ kind: 'change_lines', count: 1 },
			{ kind: 'checkpoints', count: 1 }
		]);
	});
});

it('gives the raw files as they lie in storage, with what opening cut off', async () => {
	const folder = await stored();
	const before = await SessionFiles.readRaw(folder);
	expect(before.map(({ name }) => name)).toEqual(['log.jsonl', 'files.jsonl', 'blobs.pack']);
	const pack = await bytesOf(folder, 'blobs.pack');
	await replace(folder, 'blobs.pack', pack.subarray(0, pack.length - 2));
	await (await SessionFiles.open(folder)).close();
	const after = new Map((await SessionFiles.readRaw(folder)).map(({ name, bytes: content }) => [name, content]));
	const joined = (name: string) => Buffer.concat([after.get(name) ?? bytes(''), after.get(`${name}.cut`) ?? bytes('')]);
	expect(joined('blobs.pack').equals(pack.subarray(0, pack.length - 2))).toBe(true);
	expect(joined('files.jsonl').equals(Buffer.from(before[1]?.bytes ?? []))).toBe(true);
});

it('never gives a content that was not stored, opens, and tells of what is missing, whatever is damaged', async () => {
	const { tried, lossy } = await playDamage({ count: 300 });
	expect(tried).toBe(300);
	expect(lossy).toBeGreaterThan(50);
});
