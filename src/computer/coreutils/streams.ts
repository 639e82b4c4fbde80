import { open } from '#computer/shell/execution/redirections.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import type { OpenFile } from '#computer/shell/streams/open-file.ts';
import { encode } from '#computer/process/text.ts';
import { reason } from '#computer/shell/execution/redirections.ts';

/** Message for a file that cannot be read, in the words of its command. */
export function unopened(call: Call, name: string, error: unknown): string {
	const text = error instanceof Error && !('code' in error) ? error.message : `${name}: ${reason(error)}`;
	const why = text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text;
	if (why === 'Is a directory') return text;
	if (call.name === 'head' || call.name === 'tail') return `cannot open '${name}' for reading: ${why}`;
	if (call.name === 'sort') return `cannot read: ${name}: ${why}`;
	return call.name === 'sed' ? `can't read ${name}: ${why}` : text;
}

/** Opens each operand (`-` and none: stdin) for a filter. Problems are reported; returns the status. */
export async function eachInput(
	call: Call,
	names: readonly string[],
	use: (file: OpenFile, name: string) => Promise<void>
): Promise<number> {
	let status = 0;
	for (const name of names.length ? names : ['-']) {
		let file: OpenFile;
		try {
			file = name === '-' ? call.shell.descriptors.require(0).retain() : open(call.shell, name, '<');
			if (name !== '-' && call.shell.host.context.sync.statOrNull(call.shell.path(name))?.kind === 'directory') {
				await call.complain(
					/^(head|tail)$/.test(call.name) ? `error reading '${name}': Is a directory` : `${name}: Is a directory`
				);
				status = 1;
				continue;
			}
		} catch (error) {
			await call.complain(unopened(call, name, error));
			status = 1;
			continue;
		}
		try {
			await use(file, name);
		} finally {
			file.release();
		}
	}
	return status;
}

export const tee: BuiltIn = async (call) => {
	const append = call.args.some((arg) => arg === '-a' || arg === '--append');
	const { shell } = call;
	const input = shell.descriptors.require(0);
	const sinks = [shell.descriptors.require(1)];
	const files: OpenFile[] = [];
	let status = 0;
	for (const name of call.args.filter((arg) => !arg.startsWith('-'))) {
		try {
			files.push(open(shell, name, append ? '>>' : '>'));
		} catch (error) {
			await call.complain(error instanceof Error && !('code' in error) ? error.message : `${name}: ${reason(error)}`);
			status = 1;
		}
	}
	try {
		for (;;) {
			const bytes = await shell.control.race(input.read(65536));
			if (bytes.length === 0) return status;
			for (const sink of [...sinks, ...files]) await sink.write(bytes);
		}
	} finally {
		for (const file of files) file.release();
	}
};

export const yes: BuiltIn = async (call) => {
	const line = `${call.args.length ? call.args.join(' ') : 'y'}\n`;
	const block = encode(line.repeat(Math.max(1, Math.floor(8192 / line.length))));
	const sink = call.shell.descriptors.require(1);
	for (;;) {
		await call.shell.control.yieldIfDue();
		await sink.write(block);
	}
};

export const sleep: BuiltIn = async (call) => {
	const units: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };
	let seconds = 0;
	for (const arg of call.args) {
		const match = /^(\d*\.?\d+|infinity)([smhd]?)$/.exec(arg);
		if (!match) {
			await call.complain(`invalid time interval '${arg}'`);
			return 1;
		}
		seconds += (match[1] === 'infinity' ? 2e6 : Number(match[1])) * (units[match[2] ?? ''] ?? 1);
	}
	if (call.args.length === 0) {
		await call.complain('missing operand');
		return 1;
	}
	let timer: ReturnType<typeof setTimeout> | undefined;
	try {
		await call.shell.control.race(
			new Promise<void>((resolve) => (timer = setTimeout(resolve, Math.min(seconds * 1000, 2 ** 31 - 1))))
		);
	} finally {
		clearTimeout(timer);
	}
	return 0;
};
