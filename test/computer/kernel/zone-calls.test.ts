import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeTar } from '#environment/archive/tar-format.ts';
import { ZONE_ARCHIVE, ZONE_DIRECTORY } from '#computer/abi/time-zones.ts';
import { createHandlers } from '#computer/kernel/calls/handlers.ts';
import type { Handlers } from '#computer/kernel/calls/handler.ts';
import { zoneCalls } from '#computer/kernel/calls/zone-calls.ts';
import { KernelComputer } from '#computer/kernel/kernel-computer.ts';
import { WorkerPool } from '#computer/kernel/processes/worker-pool.ts';
import { NullDescription } from '#computer/kernel/streams/description.ts';
import { VolumeClone } from '#computer/volume/clone.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import type { Volume } from '#computer/volume/volume.ts';

const BERLIN = `${ZONE_DIRECTORY}/Europe/Berlin`;
const text = (bytes: unknown) => new TextDecoder().decode(bytes as Uint8Array);

const member = (name: string, kind: 'file' | 'directory' | 'symlink', content = '') => {
	const [target, bytes] = kind === 'symlink' ? [content, ''] : ['', content];
	return { name, kind, target, bytes: new TextEncoder().encode(bytes), mode: 0o644, modifiedMs: 0 };
};
const archive = gzipSync(
	writeTar([
		member('Arctic', 'directory'),
		member('Arctic/Longyearbyen', 'symlink', '../Europe/Berlin'),
		member('Europe', 'directory'),
		member('Europe/Berlin', 'file', 'TZif')
	])
);

let asked: string[];
let isOffline: boolean;
let volume: Volume;
let handlers: Handlers;

function computerOf(files: Volume): KernelComputer {
	const nowhere = () => Promise.reject(new Error('there is nothing outside'));
	const asset = (name: string): Promise<Uint8Array> => {
		asked.push(name);
		return isOffline ? nowhere() : Promise.resolve(new Uint8Array(archive));
	};
	const outside = { fetch: nowhere, asset, preview: nowhere, module: nowhere };
	return new KernelComputer(files, new Map(), new WorkerPool('blob', [], nowhere), outside, null);
}

function handlersOf(computer: KernelComputer): Handlers {
	return zoneCalls(createHandlers(computer), computer);
}

const nothing = new NullDescription();
const process = () =>
	computerOf(volume).table.add({ argv: ['x'], cwd: '/', env: {}, streams: [nothing, nothing, nothing] });

beforeEach(() => {
	asked = [];
	isOffline = false;
	volume = createVolume([]);
	handlers = handlersOf(computerOf(volume));
});

describe('the time zones', () => {
	it('are fetched by the first call that reaches them, once for all that wait', async () => {
		expect(handlers.stat(process(), '/usr/bin')).toMatchObject({ kind: 'directory' });
		expect(handlers.readdir(process(), '/usr/share')).toEqual([{ name: 'zoneinfo', kind: 'directory' }]);
		expect(asked).toEqual([]);
		const calls = [handlers.readFile(process(), BERLIN), handlers.statOrNull(process(), `${BERLIN}/x`)];
		expect(calls.every((call) => call instanceof Promise)).toBe(true);
		expect(text(await calls[0])).toBe('TZif');
		expect(await calls[1]).toBe(null);
		expect(handlers.readlink(process(), `${ZONE_DIRECTORY}/Arctic/Longyearbyen`)).toBe('../Europe/Berlin');
		expect(text(handlers.readFile(process(), `${ZONE_DIRECTORY}/Arctic/Longyearbyen`))).toBe('TZif');
		expect(asked).toEqual([ZONE_ARCHIVE]);
	});

	it.each(['/', '/usr', '/usr/share/'])('are there for a call that reads all of %s', async (path) => {
		const found = (await handlers.walk(process(), path, {})) as { path: string }[];
		expect(found.map((entry) => entry.path)).toContain(BERLIN);
	});

	it('are there for a path that is not in its shortest form, and for the target of a new link', async () => {
		expect(text(await handlers.readFile(process(), '/usr/lib/..//share/zoneinfo/./Europe/Berlin'))).toBe('TZif');
		volume = createVolume([]);
		handlers = handlersOf(computerOf(volume));
		await handlers.symlink(process(), BERLIN, '/workspace/localtime');
		expect(text(handlers.readFile(process(), '/workspace/localtime'))).toBe('TZif');
	});

	it('stay out of calls on other directories, also of that name', () => {
		expect(() => handlers.stat(process(), '/workspace/zoneinfo/__init__.py')).toThrow(/ENOENT|no such file/);
		handlers.walk(process(), '/workspace', {});
		handlers.copy(process(), '/usr/bin', '/tmp/copy', { recursive: true });
		expect(asked).toEqual([]);
	});

	it('are missing, not failing, while the archive cannot be fetched, and looked for again', async () => {
		isOffline = true;
		expect(await handlers.readdir(process(), ZONE_DIRECTORY)).toEqual([]);
		await expect(handlers.readFile(process(), BERLIN)).rejects.toMatchObject({ code: 'ENOENT' });
		isOffline = false;
		expect(text(await handlers.readFile(process(), BERLIN))).toBe('TZif');
		expect(asked.length).toBe(3);
	});

	it('cannot be written, and are no change of the volume', async () => {
		const before = volume.mutations;
		expect(await handlers.stat(process(), BERLIN)).toMatchObject({ kind: 'file', size: 4 });
		expect(volume.mutations).toBe(before);
		expect(() => handlers.writeFile(process(), BERLIN, new Uint8Array(1))).toThrow(
			expect.objectContaining({ code: 'EACCES' })
		);
	});

	it('come to a copy of the volume, made before or after', async () => {
		const [early, own] = [new VolumeClone(volume), new VolumeClone(volume)];
		expect(text(await handlersOf(computerOf(own)).readFile(process(), BERLIN))).toBe('TZif');
		expect(volume.readdir(ZONE_DIRECTORY)).toEqual([]);
		await handlers.stat(process(), BERLIN);
		const late = new VolumeClone(volume);
		for (const copy of [early, late]) {
			const copied = handlersOf(computerOf(copy));
			expect(text(await copied.readFile(process(), BERLIN))).toBe('TZif');
		}
	});
});
