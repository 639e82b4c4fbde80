import type { BuiltIn } from '#computer/shell/state/host.ts';

export const tty: BuiltIn = async ({ shell, out }) => {
	const kernel = shell.descriptors.get(0)?.kernel;
	const terminal = kernel !== undefined && shell.host.context.sync.isTerminal(kernel);
	await out(terminal ? '/dev/pts/0\n' : 'not a tty\n');
	return terminal ? 0 : 1;
};
