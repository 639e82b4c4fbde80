import type { SignalName } from '#computer/abi/syscalls.ts';
import type { ProcessContext } from '#computer/process/program.ts';

const LOOK_EVERY_MS = 100;
const SOURCE = /\.([cm]?[jt]sx?|json|env|html|css)$|\/\.env$/;
const NOT_OURS = /\/(node_modules|\.git)\//;
/** Environment variable with the file in which a watched program lists what it loads, one path per line. */
const REPORT = 'SANDGLASS_WATCH_REPORT';
const ENDING: SignalName[] = ['SIGTERM', 'SIGINT'];

/** Program that runs again after a change. */
export interface Watched {
	/** Options for the program's own `node`, its file and its arguments. */
	args: string[];
	/** Program name for display. */
	shown: string;
	/** Additional files to watch besides those the program loads: its own, and those of variables. */
	files: readonly string[];
	/** Paths of `--watch-path`, which are watched instead of what the program loads. */
	paths: readonly string[];
	/** Set if files are loaded by child processes, like tests: every source file is watched. */
	watchesAll: boolean;
}

/**
 * `node --watch`: runs a program again whenever a file changes that it has loaded, except packages. Ends by a signal,
 * together with the program.
 */
export async function runWatched(context: ProcessContext, watched: Watched): Promise<number> {
	const { sync, async, cwd, env } = context;
	const report = `/tmp/.node-watch-${context.pid}`;
	const say = (text: string) => sync.write(1, new TextEncoder().encode(`${text}\n`));
	let pid: number | null = null;
	const stopped = new Promise<'stopped'>((resolve) =>
		context.onSignal((signal) => {
			if (ENDING.includes(signal)) resolve('stopped');
		})
	);
	for (const signal of ENDING) sync.catchSignal(signal, true);
	try {
		for (;;) {
			sync.writeFile(report, new Uint8Array());
			const change = changeSince(context, report, watched);
			pid = sync.spawn({ argv: ['node', ...watched.args], cwd, env: { ...env, [REPORT]: report } });
			const ended = async.waitPid(pid);
			const first = await Promise.race([ended, change.happened, stopped]);
			if (typeof first === 'object') {
				pid = null;
				say(`${first.code === 0 ? 'Completed' : 'Failed'} running '${watched.shown}'`);
				if ((await Promise.race([change.happened, stopped])) === 'stopped') return 0;
			} else {
				sync.kill(pid, 'SIGTERM');
				await ended;
				pid = null;
				if (first === 'stopped') return 0;
			}
			change.stop();
			say(`Restarting '${watched.shown}'`);
		}
	} finally {
		sync.remove(report, { force: true });
	}
}

/** Waits until a watched file changes. Only checks when the volume has changed. */
function changeSince(
	context: ProcessContext,
	report: string,
	watched: Watched
): { happened: Promise<'changed'>; stop(): void } {
	let seen = context.generation();
	let timer: ReturnType<typeof setInterval> | undefined;
	const happened = new Promise<'changed'>((resolve) => {
		timer = setInterval(() => {
			const now = context.generation();
			if (now === seen) return;
			const changed = context.sync.changedSince(seen);
			seen = now;
			if (changed !== null && !changed.some(counting(context, report, watched))) return;
			clearInterval(timer);
			resolve('changed');
		}, LOOK_EVERY_MS);
	});
	return { happened, stop: () => clearInterval(timer) };
}

/** Returns a filter for watched paths, based on the files loaded so far. */
function counting(context: ProcessContext, report: string, watched: Watched): (path: string) => boolean {
	const { files, paths, watchesAll } = watched;
	if (paths.length > 0) return (path) => paths.some((one) => path === one || path.startsWith(`${one}/`));
	if (watchesAll) return (path) => path.startsWith(`${context.cwd}/`) && SOURCE.test(path) && !NOT_OURS.test(path);
	const loaded = new Set([...files, ...new TextDecoder().decode(context.sync.readFile(report)).split('\n')]);
	return (path) => loaded.has(path);
}

/**
 * Reports the files that a program loads to its watcher, if it has one; files of its child processes are not reported.
 */
export function reportLoads({ sync, env }: ProcessContext): (path: string) => void {
	const report = env[REPORT];
	if (report === undefined) return () => {};
	delete env[REPORT];
	const listed = new Set<string>();
	return (path) => {
		if (listed.has(path) || NOT_OURS.test(path)) return;
		listed.add(path);
		// The watcher removes it when it ends.
		if (sync.statOrNull(report)) sync.appendFile(report, new TextEncoder().encode(`${path}\n`));
	};
}
