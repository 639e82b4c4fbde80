import { beforeEach, describe, expect, it } from 'vitest';
import type { OpenMode } from '#computer/abi/syscalls.ts';
import type { VolumeChange } from '#computer/abi/volume-change.ts';
import { Process } from '#computer/kernel/processes/process.ts';
import { NamedPipes } from '#computer/kernel/streams/named-pipe.ts';
import { VolumeClone } from '#computer/volume/clone.ts';
import { fileCalls } from '#computer/volume/file-calls.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import { Journal } from '#computer/volume/journal.ts';
import { packVolume, unpackVolume } from '#computer/volume/pack.ts';
import { Snapshots } from '#computer/volume/snapshots.ts';
import { copyTree, listTree, renameEntry } from '#computer/volume/tree.ts';
import type { Volume } from '#computer/volume/volume.ts';

const PIPE = '/workspace/p';
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (read: Uint8Array) => new TextDecoder().decode(read);
const isSettled = async (promise: unknown): Promise<boolean> => {
	let done = false;
	void Promise.resolve(promise).then(
		() => (done = true),
		() => (done = true)
	);
	await new Promise((resolve) => setTimeout(resolve));
	return done;
};

let volume: Volume;
let pipes: NamedPipes;
beforeEach(() => {
	volume = createVolume([]);
	volume.mkfifo(PIPE);
	pipes = new NamedPipes(volume);
});
const open = (mode: OpenMode, path = PIPE) => pipes.open(path, mode)!.retain();
const process = (pid: number) => new Process(pid, 1, 1, ['x'], '/workspace', {});

describe('a named pipe', () => {
	it('waits for its other end, which then opens at once', async () => {
		const reader = open('read');
		const waiting = reader.opened();
		expect(await isSettled(waiting)).toBe(false);
		const writer = open('write');
		expect(writer.opened()).toBeUndefined();
		await waiting;
	});

	it('carries bytes between names of it, and ends with the last writer', async () => {
		volume.link(PIPE, '/workspace/q');
		const [reader, first, second] = [open('read'), open('write'), open('append', '/workspace/q')];
		await first.write(bytes('one '), null);
		await second.write(bytes('two'), null);
		first.release();
		expect(text(await reader.read(100, null))).toBe('one two');
		const last = reader.read(100, null);
		expect(await isSettled(last)).toBe(false);
		second.release();
		expect(await last).toHaveLength(0);
	});

	it('takes another writer after the last one has gone', async () => {
		const reader = open('read');
		open('write').release();
		expect(await reader.read(1, null)).toHaveLength(0);
		const writer = open('write');
		const waiting = reader.read(9, null);
		await writer.write(bytes('more'), null);
		expect(text(await waiting)).toBe('more');
	});

	it('breaks for a writer when its readers have gone, until there is one again', async () => {
		const [reader, writer] = [open('read'), open('write')];
		reader.release();
		expect(() => writer.write(bytes('x'), null)).toThrow(/broken pipe/);
		open('read');
		expect(writer.write(bytes('x'), null)).toBeUndefined();
	});

	it('keeps for the next reader what is not read, until its last end is closed', async () => {
		const [reader, writer] = [open('read'), open('write')];
		await writer.write(bytes('ab'), null);
		expect(text(await reader.read(1, null))).toBe('a');
		reader.release();
		const next = open('read');
		expect(text(await next.read(9, null))).toBe('b');
		await writer.write(bytes('lost'), null);
		next.release();
		writer.release();
		const last = open('read');
		open('write').release();
		expect(await last.read(9, null)).toHaveLength(0);
	});

	it('is both ends for who opens it for both', async () => {
		const end = open('both');
		expect(end.opened()).toBeUndefined();
		await end.write(bytes('loop'), null);
		expect(text(await end.read(9, null))).toBe('loop');
	});

	it('stops waiting when its end is closed, as at the end of the process', async () => {
		const one = process(2);
		const descriptor = one.open(pipes.open(PIPE, 'write')!);
		const waiting = pipes.open(PIPE, 'write')!.retain();
		const failed = expect(waiting.opened()).rejects.toMatchObject({ code: 'EBADF' });
		waiting.release();
		one.close(descriptor);
		await failed;
		expect(await isSettled(open('read').opened())).toBe(false);
	});

	it('is none where something else is', () => {
		volume.writeFile('/workspace/f', bytes(''));
		expect(pipes.open('/workspace/f', 'read')).toBeNull();
		expect(pipes.open('/workspace/none', 'read')).toBeNull();
	});
});

describe('calls that name a pipe as a file', () => {
	it('are refused at once: whoever waits in the shell would stop the other end too', () => {
		const calls = fileCalls({ volume });
		for (const call of [
			() => calls.readFile(null, PIPE),
			() => calls.writeFile(null, PIPE, bytes('x')),
			() => calls.appendFile(null, PIPE, bytes('x')),
			() => calls.writeAt(null, PIPE, bytes('x'), 0),
			() => calls.truncate(null, PIPE, 0)
		])
			expect(call).toThrow(expect.objectContaining({ code: 'ESPIPE' }));
		expect(volume.stat(PIPE).kind).toBe('fifo');
	});
});

describe('what is kept of a named pipe', () => {
	it('is nothing in the journal, which hears of a file that it replaces', async () => {
		const entries: VolumeChange[] = [];
		const journal = new Journal((batch) => void entries.push(...batch));
		volume.onChange = (change) => journal.record(change);
		volume.writeFile('/workspace/f', bytes('x'));
		volume.mkfifo('/workspace/new');
		volume.chmod('/workspace/new', 0o700);
		renameEntry(volume, '/workspace/new', '/workspace/f');
		volume.unlink('/workspace/f');
		journal.push();
		expect(entries.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['write /workspace/f', 'remove /workspace/f']);
	});

	it('is nothing in snapshots and in what the page lists; restoring leaves it alone', () => {
		volume.writeFile('/workspace/f', bytes('x'));
		const snapshots = new Snapshots(volume);
		const { entries } = snapshots.take();
		expect(entries.map(([path]) => path)).toEqual(['f']);
		expect(listTree(volume, '/workspace', 1).map(({ path }) => path)).toEqual(['f']);
		volume.writeFile('/workspace/f', bytes('y'));
		snapshots.restore(entries);
		expect(volume.stat(PIPE).kind).toBe('fifo');
	});

	it('is a pipe in copies, on trial and in a detached process', () => {
		copyTree(volume, '/workspace', '/tmp/copy', { recursive: true });
		const copies = [new VolumeClone(volume), unpackVolume(packVolume(volume))];
		for (const copy of copies) expect(copy.stat('/tmp/copy/p')).toMatchObject({ kind: 'fifo', size: 0 });
	});
});
