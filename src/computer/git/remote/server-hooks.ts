import { shellWord } from '#environment/shell-word.ts';
import { runChild } from '../child.ts';
import { isExecutable } from '../hooks.ts';
import type { Invocation } from '../invocation.ts';
import type { Repository } from '../repository.ts';
import type { RefCommand, ServerHooks } from './local-server.ts';

/** Runs the hooks of a repository that a push of the same volume reaches, in its `.git`, their output on stderr. */
export function serverHooks(git: Invocation, repository: Repository): ServerHooks {
	const { files, commonDir, gitDir } = repository;
	const run = (name: string, args: readonly string[], lines: readonly string[] = []): boolean => {
		const path = `${commonDir}/hooks/${name}`;
		const stat = files.statOrNull(path);
		if (stat?.kind !== 'file' || !isExecutable(stat)) return true;
		const input = lines.length > 0 ? `printf '%s\\n' ${lines.map(shellWord).join(' ')} | ` : '';
		return runChild(git, `${input}"$@"`, [path, ...args], { cwd: gitDir, env: { GIT_DIR: '.' }, toStderr: true }) === 0;
	};
	const line = ({ from, to, name }: RefCommand) => `${from} ${to} ${name}`;
	return {
		before: (commands) => run('pre-receive', [], commands.map(line)),
		update: ({ from, to, name }) => run('update', [name, from, to]),
		after: (commands) => {
			run('post-receive', [], commands.map(line));
			run(
				'post-update',
				commands.map(({ name }) => name)
			);
		}
	};
}
