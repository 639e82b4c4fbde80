import type { BuiltIn } from '#computer/shell/state/host.ts';
import { PROCESSES, VOLUME_BYTES } from '#computer/abi/limits.ts';

const VARIABLES: Record<string, number> = {
	PAGE_SIZE: 4096,
	PAGESIZE: 4096,
	ARG_MAX: 2_097_152,
	_NPROCESSORS_ONLN: 4,
	_NPROCESSORS_CONF: 4,
	CHILD_MAX: PROCESSES,
	OPEN_MAX: 1024,
	PATH_MAX: 4096,
	NAME_MAX: 255,
	LONG_BIT: 64
};

const getconf: BuiltIn = async (call) => {
	const [name = ''] = call.args;
	const value = VARIABLES[name];
	if (value !== undefined) {
		await call.out(`${value}\n`);
		return 0;
	}
	await call.complain(`Unrecognized variable \`${name}'`);
	return 2;
};

const CATEGORIES = [
	'CTYPE',
	'NUMERIC',
	'TIME',
	'COLLATE',
	'MONETARY',
	'MESSAGES',
	'PAPER',
	'NAME',
	'ADDRESS',
	'TELEPHONE',
	'MEASUREMENT',
	'IDENTIFICATION'
];

const locale: BuiltIn = async ({ shell, args, out }) => {
	const get = (name: string) => shell.variables.get(name) ?? '';
	if (args.includes('-a')) await out('C\nC.utf8\nPOSIX\n');
	else if (args[0] === 'charmap') await out('UTF-8\n');
	else {
		const all = get('LC_ALL');
		await out(`LANG=${get('LANG')}\nLANGUAGE=${get('LANGUAGE')}\n`);
		for (const category of CATEGORIES) {
			const own = get(`LC_${category}`);
			await out(`LC_${category}=${all === '' && own !== '' ? own : `"${all || get('LANG') || 'C'}"`}\n`);
		}
		await out(`LC_ALL=${all}\n`);
	}
	return 0;
};

/** `df`: the sandbox has one volume. */
const df: BuiltIn = async ({ shell, args, out }) => {
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

/** Utilities that report facts about the machine. */
export const machineUtilities: Record<string, BuiltIn> = { getconf, locale, df };
