import { failure, GitError } from '../errors.ts';
import { Config } from '../config/config.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { userConfig } from '../repository.ts';

export const config: Command = (git, args) => {
	const options = parseOptions('config [<options>]', args, {
		global: '--global',
		local: '--local',
		list: '-l --list',
		get: '--get',
		getAll: '--get-all',
		unset: '--unset',
		add: '--add',
		bool: '--bool --type ?',
		zero: '-z --null'
	});
	const settings = openConfig(git, options.has('global'));
	const only = options.has('global')
		? [settings.userPath]
		: options.has('local')
			? [settings.repositoryPath!]
			: undefined;
	const target = options.has('global') ? settings.userPath : settings.repositoryPath;
	const [key, value] = options.operands;
	if (options.has('list')) {
		for (const setting of settings.all(only)) git.out(`${setting.key}=${setting.value}\n`);
		return 0;
	}
	if (key === undefined) throw new GitError('usage: git config [<options>]', 129);
	if (!key.includes('.'))
		throw new GitError(
			`error: key does not contain a section: ${key}`,
			options.has('get') || value === undefined ? 1 : 2
		);
	if (options.has('unset')) {
		if (settings.get(key) === undefined) return 5;
		settings.set(writable(target), key, null);
		return 0;
	}
	if (value !== undefined && !options.has('get') && !options.has('getAll')) {
		settings.set(writable(target), key, value, options.has('add'));
		return 0;
	}
	const found = only
		? settings
				.all(only)
				.filter((setting) => setting.key.toLowerCase() === key.toLowerCase())
				.map((one) => one.value)
		: settings.values(key);
	for (const one of options.has('getAll') ? found : found.slice(-1)) git.out(`${one}\n`);
	return found.length > 0 ? 0 : 1;
};

/** The settings of the repository, or of the user alone where there is none. */
function openConfig(git: Invocation, global: boolean): Config {
	const { files, env, overrides } = git.surroundings;
	if (!global) {
		try {
			return git.repository.config;
		} catch (error) {
			if (!(error instanceof GitError)) throw error;
		}
	}
	return new Config(files, userConfig(env), null, overrides);
}

function writable(path: string | null): string {
	if (path === null) throw failure('not in a git directory', 128);
	return path;
}
