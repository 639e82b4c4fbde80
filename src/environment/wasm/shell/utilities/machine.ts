import type { BuiltIn } from '../state/host.ts';
import type { ProcessInfo } from '../../process/syscalls.ts';
import { PROCESSES, VOLUME_BYTES } from '../../limits.ts';

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

const CATEGORIES = ['CTYPE', 'NUMERIC', 'TIME', 'COLLATE', 'MONETARY', 'MESSAGES', 'PAPER', 'NAME', 'ADDRESS', 'TELEPHONE', 'MEASUREMENT', 'IDENTIFICATION']; // prettier-ignore

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

/** `stty`: the size of the terminal; its modes are the line editor's affair. */
const stty: BuiltIn = async (call) => {
	const kernel = call.shell.descriptors.get(0)?.kernel;
	const { sync } = call.shell.host.context;
	if (kernel === undefined || !sync.isTerminal(kernel)) {
		await call.complain("'standard input': Inappropriate ioctl for device");
		return 1;
	}
	const { rows, columns } = sync.terminalSize();
	if (call.args[0] === 'size') await call.out(`${rows} ${columns}\n`);
	else if (call.args.length === 0) await call.out('speed 38400 baud; line = 0;\n');
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

const COLUMNS: Record<string, (process: ProcessInfo) => string> = {
	pid: ({ pid }) => String(pid),
	ppid: ({ parent }) => String(parent),
	pgid: ({ group }) => String(group),
	comm: ({ argv }) => (argv[0] ?? '').split('/').at(-1) ?? '',
	cmd: ({ argv }) => argv.join(' '),
	command: ({ argv }) => argv.join(' '),
	args: ({ argv }) => argv.join(' ')
};

const ps: BuiltIn = async ({ shell, args, out }) => {
	/** The value of `-o x`, `-ox` or `-eo x`. */
	const value = (letter: string) => {
		const at = args.findIndex((arg) => new RegExp(`^-[A-Za-z]*${letter}`).test(arg));
		const [, inline = ''] = new RegExp(`^-[A-Za-z]*?${letter}(.*)$`).exec(args[at] ?? '') ?? [];
		return at < 0 ? undefined : inline || args[at + 1];
	};
	const wanted = value('p')?.split(',').map(Number);
	const processes = shell.host.context.sync.processes().filter(({ pid }) => !wanted || wanted.includes(pid));
	const format = value('o');
	if (format === undefined) {
		await out('    PID TTY          TIME CMD\n');
		for (const { pid, argv } of processes)
			await out(`${String(pid).padStart(7)} pts/0    00:00:00 ${argv.join(' ')}\n`);
	} else {
		const columns = format
			.split(',')
			.map((column) => ({ name: column.replace(/=.*/, ''), hidden: column.includes('=') }));
		if (!columns.every(({ hidden }) => hidden))
			await out(`${columns.map(({ name }) => name.toUpperCase().padStart(name.endsWith('id') ? 7 : 0)).join(' ')}\n`);
		for (const process of processes) {
			const cells = columns.map(({ name }) => (COLUMNS[name]?.(process) ?? '-').padStart(name.endsWith('id') ? 7 : 0));
			await out(`${cells.join(' ')}\n`);
		}
	}
	return wanted && processes.length === 0 ? 1 : 0;
};

/** What the machine and its processes are asked. */
export const machineUtilities: Record<string, BuiltIn> = { getconf, locale, stty, df, ps };
