import type { IPty } from '@lydell/node-pty';
import { DeviceTerminal, DEVICE_VARIABLES, type TerminalDevice } from '#environment/local/device-terminal.ts';
import { endSession } from '#environment/local/process-group.ts';
import type { TerminalOpener } from '#environment/local/terminal.ts';

/**
 * Opens shells on terminal devices of this computer. The library for this has native parts and is an optional
 * dependency: without it, shells use pipes and report that.
 */
export async function hostTerminals(): Promise<TerminalOpener | undefined> {
	// The server's bundle does not contain it: it finds it in node_modules or not at all.
	const library = await import('@lydell/node-pty').catch(() => undefined);
	if (!library) return undefined;
	return ({ program, args, cwd, env }, { columns, rows }) => {
		const pty = library.spawn(program, [...args], {
			cols: columns,
			rows,
			cwd,
			env: { ...env, ...DEVICE_VARIABLES }
		});
		return new DeviceTerminal(deviceOf(pty));
	};
}

function deviceOf(pty: IPty): TerminalDevice {
	let hasEnded = false;
	const exited = new Promise<number>((resolve) =>
		pty.onExit(({ exitCode, signal }) => {
			hasEnded = true;
			resolve(signal ? 128 + signal : exitCode);
		})
	);
	return {
		onData: (take) => void pty.onData(take),
		pause: () => pty.pause(),
		resume: () => pty.resume(),
		write: (data) => void (hasEnded || pty.write(data)),
		resize: ({ columns, rows }) => void (hasEnded || pty.resize(columns, rows)),
		hangUp: () => endSession(pty.pid),
		exited
	};
}
