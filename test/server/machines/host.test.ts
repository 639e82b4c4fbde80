import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, afterAll } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { LocalExecutionEnvironment } from '#environment/local/index.ts';
import { hostTerminals } from '#server/machines/host-terminal.ts';
import { hostProvider } from '#server/machines/host.ts';
import { describeDeviceTerminal } from '#test/contract/device-terminal.ts';
import { describeMachineProvider } from '#test/contract/machine-provider.ts';

let folder: string;

describeMachineProvider('a folder of this computer as a machine', {
	isPermanent: true,
	open: async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'sandglass-host-'));
		return hostProvider(folder);
	},
	dispose: () => rm(folder, { recursive: true, force: true })
});

const hasDevices = (await hostTerminals()) !== undefined;

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
