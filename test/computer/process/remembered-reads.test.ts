import { describe, expect, it } from 'vitest';
import { isSyscallError, type SyncSyscalls } from '#computer/abi/client.ts';
import { rememberReads } from '#computer/process/remembered-reads.ts';
import { fileCalls } from '#computer/volume/file-calls.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import { renameEntry } from '#computer/volume/tree.ts';
import type { Volume } from '#computer/volume/volume.ts';
import fc from '#test/fast-check.ts';
import { apply, change, path } from '../volume/changes.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Calls that go to the volume each time, as over the wire, and the names of the calls made. */
function directCalls(volume: Volume): { calls: SyncSyscalls; made: string[] } {
	const made: string[] = [];
	const calls = Object.entries(fileCalls({ volume })).map(([name, call]) => [
		name,
		(...args: unknown[]) => {
			made.push(`${name} ${String(args[0])}`);
			return structuredClone((call as (...args: unknown[]) => unknown)(null, ...args));
		}
	]);
	return { calls: Object.fromEntries(calls) as SyncSyscalls, made };
}

function remembering(volume: Volume) {
	const { calls, made } = directCalls(volume);
	return { sync: rememberReads(calls, () => volume.mutations), made };
}

const READS = ['stat', 'lstat', 'statOrNull', 'readdir', 'realpath', 'readFile'] as const;

/** The answer of a call, or its error. */
function answerOf(call: () => unknown): unknown {
	try {
		return call();
	} catch (error) {
		if (isSyscallError(error)) return error.code;
		throw error;
	}
}

describe('a process that remembers what it has read', () => {
	it('is answered as if it had asked each time, in any history of changes', () => {
		const spelled = fc
			.tuple(path, fc.constantFrom('', '', '', '/', '/.', '/..', '/../d', '//c'))
			.map((parts) => parts.join(''));
		const read = fc.record({ name: fc.constantFrom(...READS), path: spelled });
		fc.assert(
			fc.property(
				fc.array(change, { maxLength: 10 }),
				fc.array(fc.record({ changes: fc.array(change, { maxLength: 2 }), reads: fc.array(read, { maxLength: 6 }) }), {
					maxLength: 12
				}),
				(before, steps) => {
					const volume = createVolume([]);
					apply(volume, before);
					const { calls } = directCalls(volume);
					const { sync } = remembering(volume);
					for (const { changes, reads } of steps) {
						apply(volume, changes);
						// Each twice: a path is cached at its second use.
						for (const { name, path: at } of [...reads, ...reads]) {
							expect(answerOf(() => sync[name](at))).toEqual(answerOf(() => calls[name](at)));
						}
					}
				}
			),
			{ numRuns: 1000 }
		);
	});

	it('asks once more for what is asked for again, and then only after a change there', () => {
		const volume = createVolume([]);
		volume.mkdir('/workspace/src');
		volume.writeFile('/workspace/src/a', bytes('one'));
		const { sync, made } = remembering(volume);
		const read = () => new TextDecoder().decode(sync.readFile('/workspace/src/a'));
		expect([read(), read()]).toEqual(['one', 'one']);
		made.length = 0;
		expect([read(), sync.statOrNull('/workspace/src/none'), sync.statOrNull('/workspace/src/none')]).toEqual([
			'one',
			null,
			null
		]);
		expect(made.filter((call) => call.startsWith('readFile'))).toEqual([]);
		made.length = 0;
		volume.writeFile('/workspace/other', bytes('x'));
		expect([read(), sync.statOrNull('/workspace/src/none')]).toEqual(['one', null]);
		expect(made).toHaveLength(1);
		expect(made[0]).toMatch(/^changedSince /);
		volume.writeFile('/workspace/src/a', bytes('two'));
		volume.writeFile('/workspace/src/none', bytes(''));
		expect([read(), sync.statOrNull('/workspace/src/none')?.kind]).toEqual(['two', 'file']);
	});

	it('forgets all below a directory that goes or comes', () => {
		const volume = createVolume([]);
		const deep = '/workspace/a/b/c/file';
		volume.mkdir('/workspace/a/b/c', { recursive: true });
		volume.writeFile(deep, bytes('one'));
		volume.mkdir('/workspace/new/b/c', { recursive: true });
		volume.writeFile('/workspace/new/b/c/file', bytes('other'));
		const { sync } = remembering(volume);
		const read = () => answerOf(() => new TextDecoder().decode(sync.readFile(deep)));
		const sizes = () => [sync.statOrNull(deep)?.size, sync.statOrNull(deep)?.size];
		expect([read(), read(), read(), ...sizes()]).toEqual(['one', 'one', 'one', 3, 3]);
		renameEntry(volume, '/workspace/a', '/workspace/old');
		expect([read(), read(), ...sizes()]).toEqual(['ENOENT', 'ENOENT', undefined, undefined]);
		renameEntry(volume, '/workspace/new', '/workspace/a');
		expect([read(), read(), ...sizes()]).toEqual(['other', 'other', 5, 5]);
		volume.chmod('/workspace/a', 0o600);
		expect([read(), read(), ...sizes()]).toEqual(['EACCES', 'EACCES', undefined, undefined]);
	});

	it('costs nothing more where each file is read once', () => {
		const volume = createVolume([]);
		for (let file = 0; file < 50; file++) volume.writeFile(`/workspace/${file}`, bytes(String(file)));
		const { sync, made } = remembering(volume);
		for (let file = 0; file < 50; file++) {
			expect(sync.statOrNull(`/workspace/${file}`)?.kind).toBe('file');
			expect(sync.readFile(`/workspace/${file}`)).toEqual(bytes(String(file)));
		}
		expect(made).toHaveLength(100);
	});

	it('asks for the names of a directory where one missing file after the other is looked for', () => {
		const volume = createVolume([]);
		volume.mkdir('/workspace/src');
		volume.writeFile('/workspace/src/there.ts', bytes(''));
		const { sync, made } = remembering(volume);
		const look = (name: string) => sync.statOrNull(`/workspace/src/${name}`)?.kind ?? null;
		for (const name of ['1.js', '2.js', '3.js', '4.js']) expect(look(name)).toBeNull();
		made.length = 0;
		expect([look('5.js'), look('deeper/6.js'), look('there.ts')]).toEqual([null, null, 'file']);
		expect(made).toEqual(['statOrNull /workspace/src/there.ts']);
		volume.writeFile('/workspace/src/5.js', bytes(''));
		expect([look('5.js'), look('7.js')]).toEqual(['file', null]);
	});

	it('asks each time for what is behind a symbolic link or outside the folders of the user', () => {
		const volume = createVolume([]);
		volume.mkdir('/workspace/real');
		volume.writeFile('/workspace/real/a', bytes('a'));
		volume.symlink('real', '/workspace/link');
		const { sync, made } = remembering(volume);
		for (let round = 0; round < 4; round++) sync.readFile('/workspace/link/a');
		for (let round = 0; round < 4; round++) sync.statOrNull('/usr/bin');
		expect(made.filter((call) => call.startsWith('readFile'))).toHaveLength(4);
		expect(made.filter((call) => call.startsWith('realpath'))).toHaveLength(1);
		expect(made.filter((call) => call.startsWith('statOrNull'))).toHaveLength(4);
	});

	it('asks each time for a path that is not spelled as changes are', () => {
		const volume = createVolume([]);
		volume.mkdir('/workspace/a');
		const { sync } = remembering(volume);
		const spellings = ['/workspace/a/../b', '/workspace//b', '/workspace/./b', '/workspace/none/../b'];
		const look = () => spellings.map((path) => sync.statOrNull(path)?.kind ?? null);
		for (let round = 0; round < 4; round++) expect(look()).toEqual([null, null, null, null]);
		volume.writeFile('/workspace/b', bytes(''));
		expect(look()).toEqual(['file', 'file', 'file', null]);
	});

	it('sees what its own asynchronous calls change, which are still on their way', () => {
		const volume = createVolume([]);
		volume.writeFile('/workspace/a', bytes('one'));
		const { calls } = directCalls(volume);
		let [asked, sent] = [0, () => {}];
		// The kernel answers a call after everything posted before it.
		const behind = Object.entries(calls).map(([name, call]) => [
			name,
			(...args: unknown[]) => {
				sent();
				sent = () => {};
				return (call as (...args: unknown[]) => unknown)(...args);
			}
		]);
		const sync = rememberReads(
			Object.fromEntries(behind) as SyncSyscalls,
			() => volume.mutations,
			() => asked
		);
		const read = () => new TextDecoder().decode(sync.readFile('/workspace/a'));
		expect([read(), read(), read()]).toEqual(['one', 'one', 'one']);
		asked++;
		sent = () => volume.writeFile('/workspace/a', bytes('two'));
		expect([read(), read()]).toEqual(['two', 'two']);
	});

	it('leaves to the kernel what is no path', () => {
		const { sync, made } = remembering(createVolume([]));
		for (const call of [() => sync.stat(7 as never), () => Reflect.apply(sync.readFile, null, [])]) {
			expect(call).toThrow();
		}
		expect(made).toEqual(['stat 7', 'readFile undefined']);
	});

	it('gives out bytes that the caller may change', () => {
		const volume = createVolume([]);
		volume.writeFile('/workspace/a', bytes('abc'));
		const { sync } = remembering(volume);
		for (let round = 0; round < 4; round++) {
			const read = sync.readFile('/workspace/a');
			expect(read).toEqual(bytes('abc'));
			read.fill(0);
		}
	});
});
