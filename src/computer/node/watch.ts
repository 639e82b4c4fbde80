import type { ProcessContext } from '#computer/process/program.ts';

const LOOK_EVERY_MS = 100;
const SOURCE = /\.([cm]?[jt]sx?|json|env|html|css)$|\/\.env$/;
const NOT_OURS = /\/(node_modules|\.git)\//;

/**
 * `node --watch`: runs a program again whenever a source file below the working directory changes. Ends by a
 * signal only.
 *
 * @param args options for the program's own `node`
 * @param file as displayed
 */
export async function runWatched(context: ProcessContext, args: string[], file: string): Promise<number> {
	const { sync, async, cwd, env } = context;
	const say = (text: string) => sync.write(1, new TextEncoder().encode(`${text}\n`));
	for (;;) {
		const change = changeSince(context, context.generation());
		const pid = sync.spawn({ argv: ['node', ...args], cwd, env });
		const ended = async.waitPid(pid);
		const first = await Promise.race([ended, change]);
		if (first !== undefined) {
			say(first.code === 0 ? `Completed running '${file}'` : `Failed running '${file}'`);
			await change;
		} else {
			sync.kill(pid, 'SIGTERM');
			await ended;
		}
		say(`Restarting '${file}'`);
	}
}

/** Once a source file has changed. Looks only where the volume has. */
function changeSince(context: ProcessContext, start: number): Promise<undefined> {
	let seen = start;
	return new Promise((resolve) => {
		const timer = setInterval(() => {
			const now = context.generation();
			if (now === seen) return;
			const paths = context.sync.changedSince(seen);
			seen = now;
			const isOurs = (path: string) => path.startsWith(`${context.cwd}/`) && SOURCE.test(path) && !NOT_OURS.test(path);
			if (paths !== null && !paths.some(isOurs)) return;
			clearInterval(timer);
			resolve(undefined);
		}, LOOK_EVERY_MS);
	});
}
