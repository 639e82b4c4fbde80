import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { LocalExecutionEnvironment } from '#environment/local/index.ts';
import { hostProvider } from '#server/machines/host.ts';
import { describeDeviceTerminal } from '#test/contract/device-terminal.ts';
import { describeMachineProvider } from '#test/contract/machine-provider.ts';
import { inTime } from '#test/in-time.ts';

let folder: string;

describeMachineProvider('a folder of this computer as a machine', {
	isPermanent: true,
	open: async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'sandglass-host-'));
		return hostProvider(folder);
	},
	dispose: () => rm(folder, { recursive: true, force: true })
});

const hasDevices = await import('@lydell/node-pty').then(
	() => true,
	() => false
);

describe.skipIf(!hasDevices)(
	hasDevices ? 'on this computer' : 'on this computer (skipped: node-pty is missing)',
	() => {
		let environment: ExecutionEnvironment | undefined;
		afterAll(async () => {
			await environment?.cleanup();
			if (environment) await rm(environment.workingDirectory(), { recursive: true, force: true });
		});
		describeDeviceTerminal('a terminal', async () => {
			const directory = await mkdtemp(path.join(tmpdir(), 'sandglass-host-'));
			environment = await hostProvider(directory).attach('host');
			return environment;
		});
	}
);

/** Opens a folder as a machine, and its environment; both are removed after the test. */
async function attach() {
	const directory = await mkdtemp(path.join(tmpdir(), 'sandglass-host-'));
	const provider = hostProvider(directory);
	const environment = await provider.attach('host');
	onTestFinished(async () => {
		await environment.cleanup();
		await rm(directory, { recursive: true, force: true });
	});
	return { provider, environment, directory };
}

describe('a folder of this computer', () => {
	it('is known by its name, has been there since the server started, and is no other machine', async () => {
		const before = Date.now();
		const { provider, directory } = await attach();
		expect(provider.type).toEqual({ id: 'host', kind: 'host', name: path.basename(directory) });
		const machine = { id: 'host', type: 'host', createdMs: expect.any(Number), isSuspended: false };
		expect([await provider.list(), await provider.create()]).toEqual([[machine], machine]);
		expect((await provider.create()).createdMs).toBeGreaterThanOrEqual(before);
		for (const call of [provider.attach('other'), provider.suspend('other')])
			await expect(call).rejects.toMatchObject({
				name: 'UnknownMachineError',
				message: 'This machine no longer exists. Move the session again.'
			});
		await expect(provider.suspend('host')).resolves.toBeUndefined();
	});

	it('ends when the server lets go of it, and not before', async () => {
		const { provider } = await attach();
		const controller = new AbortController();
		let hasEnded = false;
		const ended = provider.ended('host', controller.signal).then(() => (hasEnded = true));
		await new Promise(setImmediate);
		expect(hasEnded).toBe(false);
		controller.abort();
		expect(await inTime(ended, 'the end of the machine')).toBe(true);
	});

	it('shows the servers of its commands to the page', async () => {
		const { environment } = await attach();
		expect(environment).toHaveProperty('servers.ports', []);
	});

	it('says which library is missing for terminals that are devices', async () => {
		vi.doMock('@lydell/node-pty', () => {
			throw new Error('There is no such package.');
		});
		onTestFinished(() => void vi.doUnmock('@lydell/node-pty'));
		const { environment } = await attach();
		const terminal = await environment.openTerminal({ columns: 80, rows: 24 });
		let screen = '';
		terminal.onData((data) => void (screen += data));
		await expect
			.poll(() => screen)
			.toContain(
				'This terminal is a shell on pipes: editors, pagers and password prompts do not work in it. Install the optional dependency @lydell/node-pty for more.'
			);
	});
});

it('a terminal without the library for devices is a shell on pipes, and says so', async () => {
	const directory = await mkdtemp(path.join(tmpdir(), 'sandglass-host-'));
	const environment = new LocalExecutionEnvironment({
		workingDirectory: directory,
		diagnosticsScript: null,
		terminals: { open: undefined, notice: 'A shell on pipes.' }
	});
	const terminal = await environment.openTerminal({ columns: 80, rows: 24 });
	let screen = '';
	terminal.onData((data) => void (screen += data));
	terminal.write('echo on $((40 + 2))\r');
	await expect.poll(() => screen).toMatch(/^\x1b\[2mA shell on pipes\.\x1b\[0m\r\n[^]*on 42\r\n/);
	await environment.cleanup();
	await rm(directory, { recursive: true, force: true });
});
