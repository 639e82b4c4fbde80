import { runChild } from '../child.ts';
import { decode, encode } from '../bytes.ts';
import { withoutPlace } from '../discover.ts';
import { isExecutable } from '../hooks.ts';
import type { Invocation } from '../invocation.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import type { Repository } from '../repository.ts';
import type { LinkedTree } from '../worktree/linked.ts';
import type { HookAnswer, RefCommand, ServerHooks } from './receive-pack.ts';

/** Runs the hooks of the receiving repository for a push on the same volume, in its `.git`. */
export function serverHooks(git: Invocation, repository: Repository): ServerHooks {
	const { files, commonDir, gitDir, config } = repository;
	const usual = { ...withoutPlace(git.env), GIT_DIR: '.' };
	const run = (name: string, args: readonly string[], how: { input?: string; env?: Record<string, string> } = {}) => {
		const configured = config.get('core.hookspath');
		const path = `${configured ?? `${commonDir}/hooks`}/${name}`;
		const stat = files.statOrNull(path);
		if (stat?.kind !== 'file' || !isExecutable(stat)) return NOTHING_SAID;
		return captured(git, repository, [path, ...args], { cwd: gitDir, env: { ...usual, ...how.env }, input: how.input });
	};
	const input = (commands: readonly RefCommand[]) =>
		commands.map(({ from, to, name }) => `${from} ${to} ${name}\n`).join('');
	return {
		before: (commands, texts) => run('pre-receive', [], { input: input(commands), env: optionsOf(texts) }),
		update: ({ from, to, name }) => run('update', [name, from, to]),
		after: (commands, texts) => {
			const first = run('post-receive', [], { input: input(commands), env: optionsOf(texts) });
			const names = commands.map(({ name }) => name);
			return encode(decode(first.output) + decode(run('post-update', names).output));
		},
		deploy: (tree, id) => {
			const place = { GIT_DIR: tree.gitDir, GIT_WORK_TREE: tree.path };
			const hook = `${config.get('core.hookspath') ?? `${commonDir}/hooks`}/push-to-checkout`;
			const stat = files.statOrNull(hook);
			if (stat?.kind !== 'file' || !isExecutable(stat)) return deployed(git, repository, tree, id);
			const { isGood, output } = captured(git, repository, [hook, id], {
				cwd: tree.gitDir,
				env: { ...withoutPlace(git.env), ...place }
			});
			return { fault: isGood ? null : 'push-to-checkout hook declined', output };
		}
	};
}

const NOTHING_SAID: HookAnswer = { isGood: true, output: new Uint8Array(0) };

/** Environment variables with the push options, for hooks. */
function optionsOf(texts: readonly string[] | null): Record<string, string> {
	if (texts === null) return {};
	const entries = texts.map((text, at): [string, string] => [`GIT_PUSH_OPTION_${at}`, text]);
	return { GIT_PUSH_OPTION_COUNT: String(texts.length), ...Object.fromEntries(entries) };
}

interface CaptureHow {
	cwd: string;
	env: Record<string, string>;
	input?: string | undefined;
}

/** Runs a program and captures its output, which is sent to the client. */
function captured(
	git: Invocation,
	{ files, gitDir }: Repository,
	argv: readonly string[],
	how: CaptureHow
): HookAnswer {
	const [said, given] = [`${gitDir}/HOOK_OUTPUT.${git.context.pid}`, `${gitDir}/HOOK_INPUT.${git.context.pid}`];
	files.writeFile(given, encode(how.input ?? ''));
	const line = 'said=$1 given=$2; shift 2; "$@" >"$said" 2>&1 <"$given"';
	const code = runChild(git, line, [said, given, ...argv], { cwd: how.cwd, env: how.env, isWhole: true });
	const output = files.statOrNull(said) ? files.readFile(said) : new Uint8Array(0);
	for (const file of [said, given]) files.remove(file, { force: true });
	return { isGood: code === 0, output };
}

/** Updates a clean working tree to a commit. */
function deployed(git: Invocation, repository: Repository, tree: LinkedTree, id: string) {
	const env = { ...withoutPlace(git.env), GIT_DIR: tree.gitDir, GIT_WORK_TREE: tree.path };
	const steps: [fault: string, args: string[]][] = [
		['Up-to-date check failed', ['update-index', '-q', '--ignore-submodules', '--refresh']],
		['Working directory has unstaged changes', ['diff-files', '--quiet', '--ignore-submodules', '--']],
		[
			'Working directory has staged changes',
			['diff-index', '--quiet', '--cached', '--ignore-submodules', tree.head === null ? EMPTY_TREE : 'HEAD', '--']
		],
		['Could not update working tree to new HEAD', ['read-tree', '-u', '-m', id]]
	];
	for (const [fault, args] of steps) {
		const { isGood, output } = captured(git, repository, ['git', ...args], { cwd: tree.path, env });
		if (!isGood) return { fault, output };
	}
	return { fault: null, output: new Uint8Array(0) };
}
