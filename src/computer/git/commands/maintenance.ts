import { fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions, UsageAsked } from '../options.ts';
import { commitGraph } from './commit-graph.ts';
import { gc } from './gc.ts';
import { packRefs } from './pack-refs.ts';
import { prunePacked } from './prune-packed.ts';
import { repack } from './repack.ts';

const RUN_USAGE = 'maintenance run [--auto] [--[no-]quiet] [--task=<task>]';
const USAGE = `usage: git ${RUN_USAGE}\n`;

type Task = (git: Invocation, isQuiet: boolean) => number | Promise<number>;

/** Supported tasks; prefetching and multi-pack indexes are not supported. */
const TASKS: Record<string, Task> = {
	'commit-graph': (git) => commitGraph(git, ['write', '--reachable']),
	gc: (git, isQuiet) => gc(git, isQuiet ? ['--quiet'] : []),
	'loose-objects': async (git) => {
		await prunePacked(git, ['--quiet']);
		return repack(git, ['-q']);
	},
	'pack-refs': (git) => packRefs(git, ['--all', '--prune'])
};

/** `git maintenance run`: runs maintenance tasks. */
export const maintenance: Command = async (git, args) => {
	const [action, ...rest] = args;
	if (action === '-h') throw new UsageAsked(USAGE);
	if (action === undefined) throw new GitError(`error: need a subcommand\n${USAGE}`, 129);
	if (['register', 'unregister', 'start', 'stop'].includes(action))
		throw fatal('there is nothing here that could run at a later time; use git maintenance run');
	if (action !== 'run') throw new GitError(`error: unknown subcommand: \`${action}'\n${USAGE}`, 129);
	const options = parseOptions(RUN_USAGE, rest, { auto: '--auto', quiet: '--quiet !', task: '--task =' });
	if (options.operands.length > 0) throw new GitError(USAGE, 129);
	const isQuiet = options.has('quiet');
	const names = options.all('task');
	for (const [i, name] of names.entries()) {
		if (!TASKS[name]) throw new GitError(`error: '${name}' is not a valid task`, 129);
		if (names.indexOf(name) !== i) throw new GitError(`error: task '${name}' cannot be selected multiple times`, 129);
	}
	if (names.length === 0) return gc(git, [...(options.has('auto') ? ['--auto'] : []), ...(isQuiet ? ['--quiet'] : [])]);
	for (const name of names) await TASKS[name]!(git, isQuiet);
	return 0;
};
