import { chosenEditor } from '../editor.ts';
import { fatal, GitError } from '../errors.ts';
import { openConfig } from './config.ts';
import { identity } from '../config/identity.ts';
import type { Command, Invocation } from '../invocation.ts';
import { serializeSignature } from '../objects/commit.ts';

const VARIABLES: Record<string, (git: Invocation) => string | null> = {
	GIT_COMMITTER_IDENT: (git) => person(git, 'COMMITTER'),
	GIT_AUTHOR_IDENT: (git) => person(git, 'AUTHOR'),
	GIT_EDITOR: (git) => chosenEditor(git) ?? 'editor',
	GIT_SEQUENCE_EDITOR: (git) => chosenEditor(git, true) ?? 'editor',
	GIT_PAGER: ({ env }) => env['GIT_PAGER'] ?? env['PAGER'] ?? 'pager',
	GIT_DEFAULT_BRANCH: (git) =>
		git.env['GIT_TEST_DEFAULT_INITIAL_BRANCH_NAME'] ?? openConfig(git, false).get('init.defaultbranch') ?? 'main'
};

function person(git: Invocation, role: 'AUTHOR' | 'COMMITTER'): string {
	return serializeSignature(identity(role, openConfig(git, false), git.env, git.surroundings.files.now()));
}

/** `git var`: prints the value of a variable that git would use. */
export const variable: Command = (git, args) => {
	const [name, ...more] = args;
	if (name === undefined || more.length > 0 || name === '-h')
		throw new GitError('usage: git var (-l | <variable>)', 129);
	if (name === '-l') {
		for (const { key, value } of openConfig(git, false).all()) git.out(`${key}=${value}\n`);
		for (const [one, valueOf] of Object.entries(VARIABLES)) git.out(`${one}=${valueOf(git)}\n`);
		return 0;
	}
	const valueOf = VARIABLES[name];
	if (!valueOf) throw new GitError('usage: git var (-l | <variable>)', 129);
	const value = valueOf(git);
	if (value === null) throw fatal(`no value for ${name}`);
	git.out(`${value}\n`);
	return 0;
};
