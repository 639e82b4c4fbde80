import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import type { ProcessInfo, SignalName } from '#computer/abi/syscalls.ts';
import { signalOf } from '#computer/shell/builtins/signals.ts';
import { extendedRegExp } from '#computer/shell/expansion/pattern.ts';
import { UsageError, utility, type Options } from './options.ts';

const nameOf = ({ argv }: ProcessInfo): string => (argv[0] ?? '').split('/').at(-1) ?? '';
const lineOf = ({ argv }: ProcessInfo): string => argv.join(' ');

const COLUMNS: Record<string, (process: ProcessInfo) => string> = {
	pid: ({ pid }) => String(pid),
	ppid: ({ parent }) => String(parent),
	pgid: ({ group }) => String(group),
	comm: nameOf,
	cmd: lineOf,
	command: lineOf,
	args: lineOf
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

/** Everything that runs but the shell that asks and what it was started by. */
function others(call: Call): ProcessInfo[] {
	const { context } = call.shell.host;
	const all = context.sync.processes();
	const own = new Set<number>();
	for (let pid: number | undefined = context.pid; pid !== undefined && !own.has(pid);) {
		own.add(pid);
		pid = all.find((process) => process.pid === pid)?.parent;
	}
	return all.filter(({ pid }) => !own.has(pid));
}

/** Finds the processes for `pgrep` and `pkill` (procps). @throws UsageError */
function found(call: Call, options: Options): ProcessInfo[] {
	const [pattern, ...more] = options.operands;
	if (more.length > 0) throw new UsageError('only one pattern can be provided');
	const parents = options.get('P')?.split(',').map(Number);
	if (pattern === undefined && !parents) throw new UsageError('no matching criteria specified');
	const expression = extendedRegExp(options.has('x') ? `^(${pattern})$` : (pattern ?? ''), options.has('i'));
	const shown = options.has('f') ? lineOf : nameOf;
	const matching = others(call).filter(
		(process) => expression.test(shown(process)) && (!parents || parents.includes(process.parent))
	);
	const byAge = matching.toSorted((a, b) => a.startedMs - b.startedMs || a.pid - b.pid);
	if (options.has('n')) return byAge.slice(-1);
	return options.has('o') ? byAge.slice(0, 1) : matching;
}

/** Sends a signal; what has ended meanwhile is no fault. */
function send(call: Call, processes: ProcessInfo[], signal: SignalName | 0): void {
	const { sync } = call.shell.host.context;
	for (const { pid } of processes) {
		try {
			sync.kill(pid, signal);
		} catch (error) {
			if (!(error instanceof Error && Reflect.get(error, 'code') === 'ESRCH')) throw error;
		}
	}
}

const CRITERIA = 'f|full x|exact i|ignore-case n|newest o|oldest P|parent= u|euid= U|uid=';

const pgrep = utility(
	`${CRITERIA} l|list-name a|list-full c|count d|delimiter=`,
	async (call, options) => {
		const processes = found(call, options);
		const line = (process: ProcessInfo) =>
			options.has('a')
				? `${process.pid} ${lineOf(process)}`
				: options.has('l')
					? `${process.pid} ${nameOf(process)}`
					: String(process.pid);
		if (options.has('c')) await call.out(`${processes.length}\n`);
		else if (processes.length > 0) await call.out(`${processes.map(line).join(options.get('d') ?? '\n')}\n`);
		return processes.length > 0 ? 0 : 1;
	},
	2
);

/** Accepts a leading `-9`, `-KILL` or `-SIGKILL`, as for `kill`. */
function signalled(run: (call: Call, signal: SignalName | 0) => Promise<number> | number): BuiltIn {
	return async (call) => {
		const at = call.args.findIndex((arg) => /^-(\d+|[A-Z]{2,}[A-Z0-9]*)$/.test(arg));
		const named = call.args.findIndex((arg) => /^(-s|--signal)$/.test(arg));
		const text = at >= 0 ? call.args[at]?.slice(1) : named >= 0 ? call.args[named + 1] : 'TERM';
		const args = call.args.filter(
			(_, index) => index !== at && (named < 0 || (index !== named && index !== named + 1))
		);
		const signal = signalOf(text ?? '');
		if (signal !== null) return run({ ...call, args }, signal);
		await call.complain(`invalid argument '${text ?? ''}': not a signal`);
		return 2;
	};
}

const pkill = signalled((call, signal) => {
	const run = utility(
		`${CRITERIA} e|echo c|count`,
		async (inner, options) => {
			const processes = found(inner, options);
			send(inner, processes, signal);
			if (options.has('e'))
				await inner.out(processes.map((process) => `${nameOf(process)} killed (pid ${process.pid})\n`).join(''));
			if (options.has('c')) await inner.out(`${processes.length}\n`);
			return processes.length > 0 ? 0 : 1;
		},
		2
	);
	return run(call);
});

const killall = signalled((call, signal) => {
	const run = utility('q|quiet r|regexp I|ignore-case w|wait e|exact v|verbose', async (inner, options) => {
		if (options.operands.length === 0) throw new UsageError('no process name specified');
		let status = 0;
		for (const name of options.operands) {
			const expression = options.has('r') ? extendedRegExp(name, options.has('I')) : null;
			const processes = others(inner).filter((process) =>
				expression ? expression.test(nameOf(process)) : nameOf(process) === name
			);
			send(inner, processes, signal);
			if (processes.length > 0) continue;
			status = 1;
			if (!options.has('q')) await inner.complain(`${name}: no process found`);
		}
		return status;
	});
	return run(call);
});

/** Utilities that list processes, or signal them by name. */
export const processUtilities: Record<string, BuiltIn> = { ps, pgrep, pkill, killall };
