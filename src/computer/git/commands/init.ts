import { absolute } from '#computer/abi/paths.ts';
import { GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { createGitDirectory } from '../new-repository.ts';
import { parseOptions } from '../options.ts';
import { Config } from '../config/config.ts';
import { userConfig } from '../repository.ts';

export const init: Command = (git, args) => {
	const options = parseOptions(
		'init [-q | --quiet] [--bare] [-b <branch-name> | --initial-branch=<branch-name>] [<directory>]',
		args,
		{
			quiet: '-q --quiet',
			bare: '--bare',
			branch: '-b --initial-branch ='
		}
	);
	const operands = [...options.operands, ...(options.paths ?? [])];
	if (operands.length > 1) throw new GitError('usage: git init [<options>] [<directory>]', 129);
	const { files, env, overrides } = git.surroundings;
	const root = absolute(operands[0] ?? '.', git.cwd);
	const gitDir = options.has('bare') ? root : `${root}/.git`;
	const existed = files.statOrNull(`${gitDir}/HEAD`) !== null;
	const config = new Config(files, userConfig(env), null, overrides);
	files.mkdir(root, { recursive: true });
	createGitDirectory(
		files,
		gitDir,
		options.get('branch') ?? env['GIT_TEST_DEFAULT_INITIAL_BRANCH_NAME'] ?? config.get('init.defaultbranch') ?? 'main',
		options.has('bare')
	);
	if (!options.has('quiet')) {
		git.out(`${existed ? 'Reinitialized existing' : 'Initialized empty'} Git repository in ${gitDir}/\n`);
	}
	return 0;
};
