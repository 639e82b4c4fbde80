import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dockerProvider } from '#server/machines/docker.ts';
import { describeDeviceTerminal } from '#test/contract/device-terminal.ts';
import { describeMachineProvider } from '#test/contract/machine-provider.ts';
import { addPackages, missingPackages } from './debian-root.ts';
import { IMAGE, startDaemon, type Daemon } from './docker-daemon.ts';

const LIMITS = { cpus: 1, memoryBytes: 256 * 2 ** 20, pids: 64, diskBytes: 32 * 2 ** 20, lifetimeS: 600 };
/** A shell and the tools that a machine must have, and nothing else. */
const PACKAGES = ['dash', 'coreutils', 'findutils', 'tar'];

/** Removes BusyBox from the image. */
async function onlyDebian(root: string): Promise<void> {
	for (const name of await readdir(path.join(root, 'bin'))) await rm(path.join(root, 'bin', name));
	await addPackages(root, ...PACKAGES);
}

const missing = await missingPackages(...PACKAGES);
const started = missing === undefined ? await startDaemon(onlyDebian) : { reason: missing };
const reason = 'reason' in started ? started.reason : undefined;

describe.skipIf(reason !== undefined)(
	`machines of an image with dash and GNU tools alone${reason === undefined ? '' : ` (skipped: ${reason})`}`,
	() => {
		const daemon = started as Daemon;
		const provide = () => dockerProvider({ ...LIMITS, engine: daemon.socket, image: IMAGE, owner: 'gnu' });
		afterAll(() => daemon.stop(), 120_000);

		describeMachineProvider('as machines of any provider', {
			open: async () => provide(),
			kill: async (id) => void (await daemon.docker('kill', id))
		});
		describeDeviceTerminal('a terminal', async () => provide().attach((await provide().create()).id));

		it('have neither BusyBox nor bash, and take files, links and their modes back and forth', async () => {
			const provider = provide();
			const { id } = await provider.create();
			const environment = await provider.attach(id);
			expect((await environment.exec('command -v busybox bash perl python3')).stdout).toBe('');
			await environment.exec('mkdir -p a/b; echo one > a/b/one; chmod 755 a/b/one; ln -s b/one a/link');
			const before = await environment.snapshot();
			await environment.exec('rm -r a; echo other > other.txt');
			await environment.restore(before);
			expect((await environment.exec('ls; cat a/link; stat -c %a a/b/one')).stdout).toBe('a\none\n755\n');
			expect((await environment.snapshot()).id).toBe(before.id);
			await environment.cleanup();
			await provider.destroy(id);
		}, 60_000);
	}
);
