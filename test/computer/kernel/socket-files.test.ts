import { beforeEach, describe, expect, it } from 'vitest';
import type { VolumeChange } from '#computer/abi/volume-change.ts';
import { Process } from '#computer/kernel/processes/process.ts';
import { SocketFiles } from '#computer/kernel/sockets/socket-files.ts';
import { VolumeClone } from '#computer/volume/clone.ts';
import { fileCalls } from '#computer/volume/file-calls.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import { Journal } from '#computer/volume/journal.ts';
import { packVolume, unpackVolume } from '#computer/volume/pack.ts';
import { Snapshots } from '#computer/volume/snapshots.ts';
import { copyTree, listTree, renameEntry } from '#computer/volume/tree.ts';
import type { Volume } from '#computer/volume/volume.ts';

const SOCKET = '/workspace/s';
const bytes = (text: string) => new TextEncoder().encode(text);
const code = (name: string) => expect.objectContaining({ code: name }) as Error;

let volume: Volume;
let sockets: SocketFiles;
beforeEach(() => {
	volume = createVolume([]);
	sockets = new SocketFiles(volume);
});
const process = (pid: number) => new Process(pid, 1, 1, ['server'], '/workspace', {});

/** A process that listens at `place`. */
function listening(place: string) {
	const owner = process(7);
	const listener = sockets.listen(owner, place);
	return { owner, listener, descriptor: owner.open(listener) };
}

describe.each(['/workspace/s', '\0s'])('a socket at %j', (place) => {
	it('carries bytes to the process that listens there', async () => {
		const { owner, listener } = listening(place);
		const client = sockets.connect(place).retain();
		const server = await listener.accept(null);
		await client.write(bytes('ping'), null);
		expect(new TextDecoder().decode(await server.read(9, null))).toBe('ping');
		expect(sockets.ownerOf(place)).toBe(owner);
	});

	it('is refused to a second one, and to clients after its end', () => {
		const { owner, descriptor } = listening(place);
		expect(() => sockets.listen(process(8), place)).toThrow(code('EADDRINUSE'));
		owner.close(descriptor);
		expect(() => sockets.connect(place)).toThrow(code('ECONNREFUSED'));
	});
});

describe('a socket file', () => {
	it('keeps its name when its process ends, and its listener when it is moved', () => {
		const { owner, descriptor } = listening(SOCKET);
		renameEntry(volume, SOCKET, '/workspace/moved');
		volume.symlink('moved', '/workspace/linked');
		expect(sockets.ownerOf('/workspace/linked')).toBe(owner);
		expect(() => sockets.connect(SOCKET)).toThrow(code('ENOENT'));
		owner.close(descriptor);
		expect(() => sockets.listen(process(8), '/workspace/moved')).toThrow(code('EADDRINUSE'));
	});

	it('is none where another file is, nor outside of where one may write', () => {
		volume.writeFile(SOCKET, bytes(''));
		expect(() => sockets.listen(process(8), SOCKET)).toThrow(code('EADDRINUSE'));
		expect(() => sockets.connect(SOCKET)).toThrow(code('ECONNREFUSED'));
		expect(() => sockets.listen(process(8), '/etc/s')).toThrow(code('EACCES'));
		expect(() => sockets.listen(process(8), '/workspace/none/s')).toThrow(code('ENOENT'));
	});

	it('is refused as a file', () => {
		listening(SOCKET);
		const calls = fileCalls({ volume });
		expect(() => calls.readFile(null, SOCKET)).toThrow(code('ENXIO'));
		expect(() => calls.writeFile(null, SOCKET, bytes('x'))).toThrow(code('ENXIO'));
		expect(volume.stat(SOCKET)).toMatchObject({ kind: 'socket', size: 0, mode: 0o140755 });
	});

	it('is nothing in the journal, in snapshots and in what the page lists', () => {
		const entries: VolumeChange[] = [];
		const journal = new Journal((batch) => void entries.push(...batch));
		volume.onChange = (change) => journal.record(change);
		listening(SOCKET);
		volume.unlink(SOCKET);
		listening('/workspace/other');
		journal.push();
		expect(entries).toEqual([]);
		expect(new Snapshots(volume).take().entries).toEqual([]);
		expect(listTree(volume, '/workspace', 1)).toEqual([]);
	});

	it('is a socket in copies, on trial and in a detached process, with no listener there', () => {
		listening(SOCKET);
		copyTree(volume, '/workspace', '/tmp/copy', { recursive: true });
		for (const copy of [new VolumeClone(volume), unpackVolume(packVolume(volume))]) {
			expect(copy.stat('/tmp/copy/s').kind).toBe('socket');
			expect(() => new SocketFiles(copy).connect(SOCKET)).toThrow(code('ECONNREFUSED'));
		}
		expect(() => sockets.connect('/tmp/copy/s')).toThrow(code('ECONNREFUSED'));
	});
});
