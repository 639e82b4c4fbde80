import { failure, fatal, GitError } from '../errors.ts';
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
		zero: '-z --null',
		getRegexp: '--get-regexp',
		removeSection: '--remove-section',
		showOrigin: '--show-origin',
		unsetAll: '--unset-all',
		replaceAll: '--replace-all',
		system: '--system',
		default: '--default ='
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
	if (options.has('getRegexp')) {
		const pattern = new RegExp(key ?? '');
		const matching = settings.all(only).filter((setting) => pattern.test(setting.key));
		for (const setting of matching) git.out(`${setting.key} ${setting.value}\n`);
		return matching.length > 0 ? 0 : 1;
	}
	if (options.has('removeSection')) {
		if (!settings.all(target === null ? [] : [target]).some((setting) => setting.key.startsWith(`${key}.`))) {
			throw fatal(`no such section: ${key}`);
		}
		settings.removeSection(writable(target), key ?? '');
		return 0;
	}
	if (key === undefined) throw new GitError('usage: git config [<options>]', 129);
	if (!key.includes('.'))
		throw new GitError(
			`error: key does not contain a section: ${key}`,
			options.has('get') || value === undefined ? 1 : 2
		);
	if (options.has('unset') || options.has('unsetAll')) {
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
	const fallback = options.get('default');
	if (found.length === 0 && fallback !== undefined) found.push(fallback);
	const origin = options.has('showOrigin') ? `file:${originOf(git, settings, key)}\t` : '';
	for (const one of options.has('getAll') ? found : found.slice(-1)) git.out(`${origin}${one}\n`);
	return found.length > 0 ? 0 : 1;
};

/** Settings of the repository, or of the user alone outside of one. */
export function openConfig(git: Invocation, global: boolean): Config {
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

/** The file a setting is from, as git names it: the repository's from where the command runs. */
function originOf(git: Invocation, settings: Config, key: string): string {
	const { repositoryPath, userPath } = settings;
	const inRepository =
		repositoryPath !== null &&
		settings.all([repositoryPath]).some((one) => one.key.toLowerCase() === key.toLowerCase());
	if (!inRepository) return userPath;
	return repositoryPath.startsWith(`${git.cwd}/`) ? repositoryPath.slice(git.cwd.length + 1) : repositoryPath;
}

function writable(path: string | null): string {
	if (path === null) throw failure('not in a git directory', 128);
	return path;
}
