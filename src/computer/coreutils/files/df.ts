import type { BuiltIn } from '#computer/shell/state/host.ts';
import { VOLUME_BYTES } from '#computer/abi/limits.ts';

/** `df`: the sandbox has one volume. */
export const df: BuiltIn = async ({ shell, args, out }) => {
	const used = shell.host.context.sync
		.walk('/')
		.reduce((sum, { stat }) => sum + (stat.kind === 'file' ? stat.size : 0), 0);
	const flags = args.filter((arg) => arg.startsWith('-')).join('');
	const human = flags.includes('h');
	const shown = (bytes: number) => (human ? `${Math.ceil(bytes / 2 ** 20)}M` : String(Math.ceil(bytes / 1024)));
	const percent = `${Math.ceil((used / VOLUME_BYTES) * 100)}%`;
	const row = (a: string, b: string, c: string, d: string, e: string, f: string) =>
		`${a.padEnd(14)} ${b.padStart(9)} ${c.padStart(9)} ${d.padStart(9)} ${e.padStart(4)} ${f}\n`;
	await out(
		human
			? row('Filesystem', 'Size', 'Used', 'Avail', 'Use%', 'Mounted on')
			: row('Filesystem', flags.includes('P') ? '1024-blocks' : '1K-blocks', 'Used', 'Available', 'Use%', 'Mounted on')
	);
	await out(row('sandglass', shown(VOLUME_BYTES), shown(used), shown(VOLUME_BYTES - used), percent, '/'));
	return 0;
};
