import type { BuiltIn } from '#computer/shell/state/host.ts';
import type { ProcessInfo } from '#computer/abi/syscalls.ts';
import { nameOf, lineOf } from './process-list.ts';

const COLUMNS: Record<string, (process: ProcessInfo) => string> = {
	pid: ({ pid }) => String(pid),
	ppid: ({ parent }) => String(parent),
	pgid: ({ group }) => String(group),
	comm: nameOf,
	cmd: lineOf,
	command: lineOf,
	args: lineOf
};

export const ps: BuiltIn = async ({ shell, args, out }) => {
	/** The value of `-o x`, `-ox` or `-eo x`. */
	const value = (letter: string) => {
		const at = args.findIndex((arg) => new RegExp(`^-[A-Za-z]*${letter}`).test(arg));
		const [, inline = ''] = new RegExp(`^-[A-Za-z]*?${letter}(.*)$`).exec(args[at] ?? '') ?? [];
		return at < 0 ? undefined : inline || args[at + 1];
	};
	const wanted = value('p')?.split(',').map(Number);
	const processes = shell.host.context.sync.processes().filter(({ pid }) => !wanted || wanted.includes(pid));
	const format = value('o');
	const style = psStyle(args);
	if (format === undefined && style) {
		await out(`${style.header}\n`);
		for (const process of processes) await out(`${style.row(process)}\n`);
	} else if (format === undefined) {
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

/** `ps aux` and `ps -ef`: what scripts look for, the number, is in their second column. */
function psStyle(args: readonly string[]): { header: string; row(process: ProcessInfo): string } | null {
	const letters = args.join('');
	if (/u/.test(letters) && !letters.startsWith('-u')) {
		return {
			header: 'USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND',
			row: (process) =>
				`user     ${String(process.pid).padStart(7)}  0.0  0.0      0     0 pts/0    S    00:00   0:00 ${lineOf(process)}`
		};
	}
	if (!/f/.test(letters)) return null;
	return {
		header: 'UID          PID    PPID  C STIME TTY          TIME CMD',
		row: (process) =>
			`user     ${String(process.pid).padStart(7)} ${String(process.parent).padStart(7)}  0 00:00 pts/0    00:00:00 ${lineOf(process)}`
	};
}
