import { open } from '#computer/shell/execution/redirections.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';
import type { OpenFile } from '#computer/shell/streams/open-file.ts';
import { reason } from '#computer/shell/execution/redirections.ts';

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
