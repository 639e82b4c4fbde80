import { failure, fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { replaceSettings } from '../config/edit-config.ts';
import { decode, encode } from '../bytes.ts';
import { lineRegex } from '../history/regex.ts';
import { parseOptions } from '../options.ts';
import { isRemote, remoteNamed } from '../remote/remote-settings.ts';

/** `git remote get-url`: prints the URLs of a remote. */
export const getUrl: Command = (git, args) => {
	const usage = 'remote get-url [--push] [--all] <name>';
	const options = parseOptions(usage, args, { push: '--push', all: '--all' });
	const [name, ...more] = options.operands;
	if (name === undefined || more.length > 0) throw new GitError(`usage: git ${usage}`, 129);
	requireRemote(git, name);
	const { urls, pushUrls } = remoteNamed(git.repository, name);
	const found = options.has('push') ? pushUrls : urls;
	for (const url of options.has('all') ? found : found.slice(0, 1)) git.out(`${url}\n`);
	return 0;
};

/** `git remote set-url`: changes the URLs of a remote. */
export const setUrl: Command = (git, args) => {
	const usage = 'remote set-url [--push] [--add | --delete] <name> <newurl> [<oldurl>]';
	const options = parseOptions(usage, args, { push: '--push', add: '--add', delete: '--delete' });
	const { repository } = git;
	const { config } = repository;
	const [name, url, old, ...more] = options.operands;
	if (options.has('add') && options.has('delete')) throw fatal("--add --delete doesn't make sense");
	const most = options.has('add') || options.has('delete') ? old : more[0];
	if (name === undefined || url === undefined || most !== undefined) throw new GitError(`usage: git ${usage}`, 129);
	requireRemote(git, name);
	const file = `${repository.commonDir}/config`;
	const key = `remote.${name}.${options.has('push') ? 'pushurl' : 'url'}`;
	if (options.has('add')) {
		config.set(file, key, url, true);
		return 0;
	}
	const pattern = options.has('delete') ? url : old;
	if (pattern === undefined) {
		config.set(file, key, url);
		return 0;
	}
	const regex = lineRegex(pattern, 'extended', false);
	const before = config.values(key);
	const hits = before.filter((one) => regex.test(one));
	if (hits.length === 0) throw fatal(`No such URL found: ${pattern}`);
	if (options.has('delete') && hits.length === before.length && !options.has('push'))
		throw fatal('Will not delete all non-push URLs');
	const text = decode(repository.files.readFile(file));
	const changed = replaceSettings(text, key, options.has('delete') ? null : url, (value) => regex.test(value));
	repository.files.writeFile(file, encode(changed));
	return 0;
};

function requireRemote({ repository }: Invocation, name: string): void {
	if (!isRemote(repository.config, name)) throw failure(`No such remote '${name}'`, 2);
}
