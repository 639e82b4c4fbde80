import { failure, fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { isRefName } from '../refs/ref-format.ts';
import { headOf } from '../remote/advertisement.ts';
import { Connection } from '../remote/connection.ts';
import { isRemote, remoteNamed, remoteNames } from '../remote/remote-settings.ts';
import { FETCH_OPTIONS, fetchMany, groupOf, isSkipped } from './fetch.ts';
import { removeRemote, renameRemote } from './remote-change.ts';
import { pruneRemotes } from './remote-prune.ts';
import { showRemotes } from './remote-show.ts';
import { getUrl, setUrl } from './remote-url.ts';

const USAGE = 'remote [-v | --verbose]';

const SUBCOMMANDS: Record<string, Command> = {
	add,
	rename: renameRemote,
	rm: removeRemote,
	remove: removeRemote,
	'set-head': setHead,
	'set-branches': setBranches,
	'get-url': getUrl,
	'set-url': setUrl,
	show: (git, args) =>
		args.every((arg) => arg === '-v') && args.length < 2 ? list(git, args.length > 0) : showRemotes(git, args),
	prune: pruneRemotes,
	update
};

export const remote: Command = (git, args) => {
	let at = 0;
	while (args[at] === '-v' || args[at] === '--verbose') at++;
	const word = args[at];
	if (word === undefined) return list(git, at > 0);
	if (word.startsWith('-')) {
		parseOptions(USAGE, args, { verbose: '-v --verbose' });
		return list(git, at > 0);
	}
	const command = Object.hasOwn(SUBCOMMANDS, word) ? SUBCOMMANDS[word] : undefined;
	if (!command) throw new GitError(`error: unknown subcommand: \`${word}'\nusage: git ${USAGE}`, 129);
	const rest = args.slice(at + 1);
	return command(git, word === 'update' && at > 0 ? ['-v', ...rest] : rest);
};

/** Prints the names of the remotes, and with `-v` their URLs. */
function list(git: Invocation, isVerbose: boolean): number {
	const { repository } = git;
	const { config } = repository;
	for (const name of remoteNames(config).sort()) {
		if (!isVerbose) {
			git.out(`${name}\n`);
			continue;
		}
		const { urls, pushUrls } = remoteNamed(repository, name);
		const filter = config.flag(`remote.${name}.promisor`, false)
			? config.get(`remote.${name}.partialclonefilter`)
			: undefined;
		git.out(`${name}\t${urls[0]} (fetch)${filter === undefined ? '' : ` [${filter}]`}\n`);
		for (const url of pushUrls) git.out(`${name}\t${url} (push)\n`);
	}
	return 0;
}

/** Fetch refspec for a branch. @param isMirror whether refs keep the names they have in the remote */
const trackingSpec = (remote: string, branch: string, isMirror: boolean): string =>
	isMirror ? `+refs/${branch}:refs/${branch}` : `+refs/heads/${branch}:refs/remotes/${remote}/${branch}`;

async function add(git: Invocation, args: string[]): Promise<number> {
	const usage = 'remote add [<options>] <name> <url>';
	const options = parseOptions(usage, args, {
		fetch: '-f --fetch',
		tags: '--tags',
		noTags: '--no-tags',
		track: '-t --track =',
		master: '-m --master =',
		mirror: '--mirror ?'
	});
	const mirror = options.get('mirror');
	if (mirror !== undefined && !['', 'fetch', 'push'].includes(mirror))
		throw failure(`unknown mirror argument: ${mirror}`, 129);
	const [name, url, ...more] = options.operands;
	if (name === undefined || url === undefined || more.length > 0) throw new GitError(`usage: git ${usage}`, 129);
	const fetches = mirror === undefined || mirror === '' || mirror === 'fetch';
	if (mirror !== undefined && options.has('master'))
		throw fatal('specifying a master branch makes no sense with --mirror');
	if (!fetches && options.has('track')) throw fatal('specifying branches to track makes sense only with fetch mirrors');
	if (mirror === '')
		git.err('warning: --mirror is dangerous and deprecated; please\n\t use --mirror=fetch or --mirror=push instead\n');
	const { repository } = git;
	const { config } = repository;
	if (isRemote(config, name)) throw failure(`remote ${name} already exists.`, 3);
	requireName(name);
	const file = `${repository.commonDir}/config`;
	config.set(file, `remote.${name}.url`, url);
	const branches = options.has('track') ? options.all('track') : ['*'];
	if (fetches)
		for (const branch of branches)
			config.set(file, `remote.${name}.fetch`, trackingSpec(name, branch, mirror !== undefined), true);
	if (mirror === '' || mirror === 'push') config.set(file, `remote.${name}.mirror`, 'true');
	if (options.has('tags') || options.has('noTags'))
		config.set(file, `remote.${name}.tagOpt`, options.has('tags') ? '--tags' : '--no-tags');
	if (options.has('fetch')) await fetchAdded(git, name);
	const master = options.get('master');
	if (master !== undefined) repository.refs.setSymbolic(`refs/remotes/${name}/HEAD`, `refs/remotes/${name}/${master}`);
	return 0;
}

async function fetchAdded(git: Invocation, name: string): Promise<void> {
	git.out(`Updating ${name}\n`);
	const code = await fetchMany(git, [name], parseOptions('fetch', ['-q'], FETCH_OPTIONS), {
		action: `fetch ${name}`,
		quiet: false
	});
	if (code !== 0) throw failure(`Could not fetch ${name}`);
}

/** @throws GitError if the remote name is invalid */
function requireName(name: string): void {
	if (!isRefName(`refs/remotes/${name}/test`)) throw fatal(`'${name}' is not a valid remote name`);
}

async function setHead(git: Invocation, args: string[]): Promise<number> {
	const usage = 'remote set-head <name> (-a | --auto | -d | --delete | <branch>)';
	const options = parseOptions(usage, args, { auto: '-a --auto', delete: '-d --delete' });
	const { repository } = git;
	const { refs } = repository;
	const [name, given, ...more] = options.operands;
	const isWrong = options.has('auto') || options.has('delete') ? given !== undefined : given === undefined;
	if (name === undefined || isWrong || more.length > 0) throw new GitError(`usage: git ${usage}`, 129);
	const head = `refs/remotes/${name}/HEAD`;
	if (options.has('delete')) {
		if (refs.symbolic(head) === null && refs.resolve(head) === null) throw failure(`Could not delete ${head}`);
		refs.delete(head);
		return 0;
	}
	const branch = given ?? (await queriedHead(git, name));
	const full = `refs/remotes/${name}/${branch}`;
	if (refs.resolve(full) === null) throw failure(`Not a valid ref: ${full}`);
	refs.setSymbolic(head, full);
	if (options.has('auto')) git.out(`${name}/HEAD set to ${branch}\n`);
	return 0;
}

/** Branch to which a remote's HEAD points. @throws GitError if it cannot be determined */
async function queriedHead(git: Invocation, name: string): Promise<string> {
	const { repository } = git;
	const { urls, uploadPack: program } = remoteNamed(repository, name);
	const destination = { url: urls[0]!, config: repository.config, program };
	const advertisement = await Connection.advertisedAt(git, destination, 'fetch');
	const head = headOf(advertisement);
	if (head === null) throw failure('Cannot determine remote HEAD');
	return head.replace('refs/heads/', '');
}

function setBranches(git: Invocation, args: string[]): number {
	const usage = 'remote set-branches [--add] <name> <branch>...';
	const options = parseOptions(usage, args, { add: '--add' });
	const [name, ...branches] = options.operands;
	if (name === undefined) throw new GitError(`error: no remote specified\nusage: git ${usage}`, 129);
	const { repository } = git;
	const { config } = repository;
	if (!isRemote(config, name)) throw failure(`No such remote '${name}'`, 2);
	const file = `${repository.commonDir}/config`;
	if (!options.has('add')) config.set(file, `remote.${name}.fetch`, null);
	const { isMirror } = remoteNamed(repository, name);
	for (const branch of branches) config.set(file, `remote.${name}.fetch`, trackingSpec(name, branch, isMirror), true);
	return 0;
}

/** Fetches from all remotes, or from the given remotes and groups. */
async function update(git: Invocation, args: string[]): Promise<number> {
	const options = parseOptions('remote update [-p | --prune] [(<group> | <remote>)...]', args, {
		...FETCH_OPTIONS,
		prune: '-p --prune'
	});
	const { config } = git.repository;
	const given = options.operands.length === 0 ? ['default'] : options.operands;
	const isAll = given.at(-1) === 'default' && config.get('remotes.default') === undefined;
	const names = isAll
		? remoteNames(config).filter((name) => !isSkipped(git, name, 'skipdefaultupdate'))
		: given.flatMap((name) => {
				const group = groupOf(git, name);
				if (group.length === 0 && !isRemote(config, name)) throw fatal(`no such remote or remote group: ${name}`);
				return group.length > 0 ? group : [name];
			});
	return fetchMany(git, names, options, { action: `fetch ${names.join(' ')}` });
}
