import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import type { ProcessInfo, SignalName } from '#computer/abi/syscalls.ts';
import { signalOf } from '#computer/shell/builtins/signals.ts';
import { extendedRegExp } from '#computer/shell/expansion/pattern.ts';
import { UsageError, type Options } from '../options.ts';

export const nameOf = ({ argv }: ProcessInfo): string => (argv[0] ?? '').split('/').at(-1) ?? '';

export const lineOf = ({ argv }: ProcessInfo): string => argv.join(' ');

/** Returns all processes except the calling shell and its ancestors. */
export function others(call: Call): ProcessInfo[] {
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
export function found(call: Call, options: Options): ProcessInfo[] {
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

/** Sends a signal; processes that have ended meanwhile are ignored. */
export function send(call: Call, processes: ProcessInfo[], signal: SignalName | 0): void {
	const { sync } = call.shell.host.context;
	for (const { pid } of processes) {
		try {
			sync.kill(pid, signal);
		} catch (error) {
			if (!(error instanceof Error && Reflect.get(error, 'code') === 'ESRCH')) throw error;
		}
	}
}

export const CRITERIA = 'f|full x|exact i|ignore-case n|newest o|oldest P|parent= u|euid= U|uid=';

/** Accepts a leading `-9`, `-KILL` or `-SIGKILL`, as for `kill`. */
export function signalled(run: (call: Call, signal: SignalName | 0) => Promise<number> | number): BuiltIn {
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
