import { userSettings } from '../config/config.ts';
import { fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { RefFields } from '../listing/ref-fields.ts';
import { sortKeys } from '../listing/sort-keys.ts';
import { sortRefs } from '../listing/ref-sort.ts';
import { compareVersions } from '../listing/version-order.ts';
import { parseOptions } from '../options.ts';
import type { Ref } from '../refs/refs.ts';
import type { Advertisement } from '../remote/advertisement.ts';
import { Connection } from '../remote/connection.ts';
import { defaultRemote, remoteNamed } from '../remote/remote-settings.ts';
import type { Repository } from '../repository.ts';
import { wildmatch } from '../worktree/wildmatch.ts';

/** `git ls-remote`: lists the refs of another repository. Also works outside a repository. */
export const lsRemote: Command = async (git, args) => {
	const options = parseOptions('ls-remote [<options>] [<repository> [<refs>...]]', args, {
		heads: '-h --heads',
		tags: '-t --tags',
		refs: '--refs',
		quiet: '-q --quiet',
		exitCode: '--exit-code',
		getUrl: '--get-url',
		symref: '--symref',
		sort: '--sort = !',
		// Ignored: there are server options only in version 2 of the protocol.
		program: '--upload-pack --exec =',
		serverOption: '-o --server-option ='
	});
	const [named, ...patterns] = [...options.operands, ...(options.paths ?? [])];
	const repository = repositoryOrNone(git);
	const url = addressOf(repository, named);
	if (options.has('getUrl')) {
		git.out(`${url}\n`);
		return 0;
	}
	const config = repository?.config ?? userSettings(git.surroundings);
	const program = options.get('program') ?? config.get(`remote.${named ?? ''}.uploadpack`);
	const advertisement = await Connection.advertisedAt(git, { url, config, program }, 'ls-remote');
	if (named === undefined && !options.has('quiet')) git.err(`From ${url}\n`);
	const kinds = [...(options.has('heads') ? ['refs/heads/'] : []), ...(options.has('tags') ? ['refs/tags/'] : [])];
	const matches = patterns.map((pattern) => wildmatch(`*/${pattern}`, true));
	const shown = rowsOf(advertisement, !options.has('refs')).filter(
		({ name }) =>
			(!options.has('refs') || name.startsWith('refs/')) &&
			(kinds.length === 0 || kinds.some((kind) => name.startsWith(kind))) &&
			(matches.length === 0 || matches.some((one) => one.test(`/${name}`)))
	);
	const keys = repository ? sortKeys(repository, options, 'ls-remote.sort') : options.all('sort');
	for (const { name, id } of sorted(repository, shown, keys)) {
		if (options.has('symref') && name === 'HEAD' && advertisement.head !== null)
			git.out(`ref: ${advertisement.head}\tHEAD\n`);
		git.out(`${id}\t${name}\n`);
	}
	return shown.length === 0 && options.has('exitCode') ? 2 : 0;
};

/** Repository in which git was started; null outside one. */
function repositoryOrNone(git: Invocation): Repository | null {
	try {
		return git.repository;
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		return null;
	}
}

/** URL of the named or default remote. @throws GitError if no URL is known */
function addressOf(repository: Repository | null, named: string | undefined): string {
	if (named === '') throw fatal("bad repository ''");
	if (!repository) {
		if (named === undefined) throw fatal('No remote configured to list refs from.');
		return named;
	}
	const remote = remoteNamed(repository, named ?? defaultRemote(repository));
	if (named === undefined && !remote.isConfigured) throw fatal('No remote configured to list refs from.');
	return remote.urls[0]!;
}

/** Advertised refs, each tag followed by its peeled target if requested. */
const rowsOf = ({ refs, peeled }: Advertisement, withTargets: boolean): Ref[] =>
	refs.flatMap((ref) => {
		const target = withTargets ? peeled.get(ref.name) : undefined;
		return target === undefined ? [ref] : [ref, { name: `${ref.name}^{}`, id: target }];
	});

function sorted(repository: Repository | null, refs: readonly Ref[], keys: readonly string[]): readonly Ref[] {
	if (keys.length === 0) return refs;
	if (repository) return sortRefs(repository, refs, keys, new RefFields(repository, false));
	return keys.reduce((list, key) => {
		const [, minus, version, field = ''] = /^(-?)((?:version|v):)?(.*)$/s.exec(key) ?? [];
		if (field !== 'refname')
			throw fatal(`not a git repository, but the field '${field}' requires access to object data`);
		const compare = version === undefined ? (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0) : compareVersions;
		return [...list].sort((a, b) => compare(a.name, b.name) * (minus === '-' ? -1 : 1));
	}, refs);
}
