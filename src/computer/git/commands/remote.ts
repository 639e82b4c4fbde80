import { GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';

export const remote: Command = (git, args) => {
	const options = parseOptions('remote [-v] [add | remove | rename | get-url | set-url] ...', args, {
		verbose: '-v --verbose',
		fetch: '-f'
	});
	const { repository } = git;
	const { config, refs } = repository;
	const file = `${repository.commonDir}/config`;
	const [action, name = '', value = ''] = options.operands;
	const url = (one: string) => config.get(`remote.${one}.url`);
	const existing = (one: string): void => {
		if (url(one) === undefined) throw new GitError(`error: No such remote '${one}'`, 2);
	};
	switch (action) {
		case undefined:
			for (const one of config.subsections('remote').sort()) {
				if (!options.has('verbose')) git.out(`${one}\n`);
				else
					git.out(`${one}\t${url(one)} (fetch)\n${one}\t${config.get(`remote.${one}.pushurl`) ?? url(one)} (push)\n`);
			}
			return 0;
		case 'add':
			if (name === '' || value === '') throw new GitError('usage: git remote add [<options>] <name> <url>', 129);
			if (url(name) !== undefined) throw new GitError(`error: remote ${name} already exists.`, 3);
			config.set(file, `remote.${name}.url`, value);
			config.set(file, `remote.${name}.fetch`, `+refs/heads/*:refs/remotes/${name}/*`);
			return 0;
		case 'get-url':
			existing(name);
			git.out(`${url(name)}\n`);
			return 0;
		case 'set-url':
			existing(name);
			config.set(file, `remote.${name}.url`, value);
			return 0;
		case 'remove':
		case 'rm':
			existing(name);
			config.removeSection(file, `remote.${name}`);
			for (const ref of refs.list(`refs/remotes/${name}/`)) refs.delete(ref.name);
			return 0;
		case 'rename': {
			existing(name);
			const address = url(name)!;
			config.removeSection(file, `remote.${name}`);
			config.set(file, `remote.${value}.url`, address);
			config.set(file, `remote.${value}.fetch`, `+refs/heads/*:refs/remotes/${value}/*`);
			for (const ref of refs.list(`refs/remotes/${name}/`))
				refs.rename(ref.name, ref.name.replace(`/${name}/`, `/${value}/`));
			return 0;
		}
		default:
			throw new GitError(`error: unknown subcommand: \`${action}'\nusage: git remote [-v | --verbose]`, 129);
	}
};
