import { vi } from 'vitest';

/** Output of a command, and its exit code. */
export interface Captured {
	code: number;
	out: string;
	err: string;
}

/** Runs a command in this process and captures both of its outputs. */
export async function captured(command: (args: string[]) => Promise<number>, ...args: string[]): Promise<Captured> {
	let [out, err] = ['', ''];
	const onOut = vi.spyOn(process.stdout, 'write').mockImplementation((data) => ((out += String(data)), true));
	const onErr = vi.spyOn(process.stderr, 'write').mockImplementation((data) => ((err += String(data)), true));
	try {
		const code = await command(args);
		return { code, out, err };
	} finally {
		onOut.mockRestore();
		onErr.mockRestore();
	}
}
