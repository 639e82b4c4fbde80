import type { WireStat } from '#computer/abi/syscalls.ts';
import { asSystem } from '../../../runtime/errors.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { fsOptions, modeOf, pathText, type PathLike } from '../arguments.ts';
import { bigStats, Stats } from '../stats.ts';

/** Runs system calls on paths from a program, and adds call and paths to their errors. */
export class PathCalls {
	readonly sys: Runtime['sys'];

	constructor(readonly runtime: Runtime) {
		this.sys = runtime.sys;
	}

	/** Resolves a path against the current directory. */
	at(given: string): string {
		return this.runtime.resolvePath(given);
	}

	/** @throws errors of `run`, as errors of `syscall` on `target` */
	call<Result>(syscall: string, target: PathLike, run: (absolute: string) => Result): Result {
		const given = pathText(target);
		return asSystem(syscall, given, undefined, () => run(this.at(given)));
	}

	/** As {@link call}, for a call on two paths. */
	pair<Result>(syscall: string, from: PathLike, to: PathLike, run: (from: string, to: string) => Result): Result {
		const [source, target] = [pathText(from), pathText(to)];
		return asSystem(syscall, source, target, () => run(this.at(source), this.at(target)));
	}

	/** Mode of a new entry: the requested one, or the default, without the bits of the umask. */
	newMode(mode: unknown, standard: number): number {
		return (modeOf(mode as number | string | undefined) ?? standard) & ~this.runtime.process.umask();
	}
}

/** Converts a `stat` to the form requested by its options: numbers or bigints. */
export function statsOf(stat: WireStat, options: unknown) {
	const stats = new Stats(stat);
	return fsOptions(options).bigint ? bigStats(stats) : stats;
}
