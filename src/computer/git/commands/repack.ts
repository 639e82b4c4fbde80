import { fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { basename } from '#computer/abi/paths.ts';
import { parseOptions, type Options } from '../options.ts';
import { receivedFromPromisors } from '../history/promised-objects.ts';
import { writeReadOnly } from '../objects/keep-pack.ts';
import { promisorRemotes } from '../remote/promisor-remotes.ts';
import type { Repository } from '../repository.ts';
import { makePacks, packIds } from './pack-objects.ts';
import { requireNotPrecious } from './prune.ts';
import { removePacked } from './prune-packed.ts';
import { writeServerInfo } from './update-server-info.ts';

const USAGE =
	'repack [-a] [-A] [-d] [-f] [-F] [-l] [-n] [-q] [-b] [--window=<n>] [--depth=<n>] [--threads=<n>] [--keep-pack=<pack-name>]';

const OPTIONS = {
	all: '-a',
	loosens: '-A',
	deletes: '-d',
	keepsUnreachable: '-k --keep-unreachable',
	unpacks: '--unpack-unreachable =',
	// Ignored: deltas are always recomputed.
	again: '-f -F --no-reuse-delta --no-reuse-object',
	local: '-l --local',
	noServerInfo: '-n',
	quiet: '-q --quiet !',
	// Ignored where it is possible: bitmaps only affect speed, as do delta islands.
	bitmaps: '-b --write-bitmap-index !',
	unneeded: '-i --delta-islands --no-progress',
	window: '--window =',
	depth: '--depth =',
	untouched: '--threads --window-memory =',
	mostBytes: '--max-pack-size =',
	packsKept: '--pack-kept-objects !',
	keepPack: '--keep-pack ='
};

type RepackOptions = Options<keyof typeof OPTIONS>;

/** `git repack`: packs loose objects, or all objects into one pack. */
export const repack: Command = (git, args) => {
	const options = parseOptions(USAGE, args, OPTIONS);
	if (options.operands.length > 0) throw new GitError(`usage: git ${USAGE}`, 129);
	const { repository } = git;
	const { objects, files } = repository;
	const isAll = options.has('all') || options.has('loosens');
	if (options.has('deletes') && isAll) requireNotPrecious(repository, 'delete packs');
	if (options.has('keepsUnreachable') && (options.has('unpacks') || options.has('loosens')))
		throw fatal("options '--keep-unreachable' and '-A' cannot be used together");
	const named = options.all('keepPack');
	const before = objects.packs.filter((pack) => !pack.isKept && !named.includes(basename(pack.path)));
	const base = `${objects.directory}/pack/pack`;
	const isPartial = promisorRemotes(repository.config).length > 0;
	objects.fetchNothing();
	if (isPartial && isAll && options.has('bitmaps')) requireClosure(repository);
	const promised = isPartial && isAll ? repackPromised(git, options, base) : [];
	const made = [
		...promised,
		...makePacks(
			git,
			[...packArguments(git, options, before.length > 0), ...(isPartial ? ['--exclude-promisor-objects'] : [])],
			base
		)
	];
	if (made.length === 0 && !options.has('quiet')) git.out('Nothing new to pack.\n');
	objects.reopen();
	if (options.has('deletes')) {
		const names = made.map((digest) => `${base}-${digest}.pack`);
		for (const { path } of isAll ? before : [])
			if (!names.includes(path))
				for (const ending of ['idx', 'pack', 'rev', 'bitmap', 'mtimes', 'promisor'])
					files.remove(path.replace(/pack$/, ending), { force: true });
		objects.reopen();
		removePacked(git, false);
	}
	const isServed = repository.config.flag('repack.updateserverinfo', true) && !options.has('noServerInfo');
	if (isServed) writeServerInfo(repository);
	return 0;
};

/**
 * Packs the objects of promisor remotes, apart from all others: the mark of their pack says that what they refer to may
 * be missing. Its file no longer lists references.
 */
function repackPromised(git: Invocation, options: RepackOptions, base: string): string[] {
	const { repository } = git;
	const made = packIds(git, packSizes(options), receivedFromPromisors(repository), base);
	for (const digest of made) writeReadOnly(repository.files, `${base}-${digest}.promisor`, new Uint8Array(0));
	return made;
}

/** @throws GitError if objects are missing or in another pack, so that no bitmap can describe the one pack */
function requireClosure(repository: Repository): void {
	const [lost] = receivedFromPromisors(repository);
	const own = repository.objects.ids().length > receivedFromPromisors(repository).size;
	if (lost === undefined || !own) return;
	repository.warn(`Failed to write bitmap index. Packfile doesn't have full closure (object ${lost} is missing)`);
	throw fatal('failed to write bitmap index');
}

/** Arguments of `pack-objects` for the given options. */
function packArguments({ repository }: Invocation, options: RepackOptions, hasPacks: boolean): string[] {
	const args = ['--all', '--reflog', '--indexed-objects', '--non-empty'];
	if (repository.config.flag('repack.usedeltabaseoffset', true)) args.push('--delta-base-offset');
	const isKeptPacked = options.isTakenBack('packsKept')
		? false
		: options.has('packsKept') || repository.config.flag('repack.packkeptobjects', false);
	if (!isKeptPacked) args.push('--honor-pack-keep');
	if (options.has('local')) args.push('--local');
	for (const name of options.all('keepPack')) args.push(`--keep-pack=${name}`);
	args.push(...packSizes(options));
	if (!options.has('all') && !options.has('loosens')) return [...args, '--unpacked', '--incremental'];
	const expiry = options.get('unpacks');
	if (options.has('keepsUnreachable')) args.push('--keep-unreachable', '--pack-loose-unreachable');
	else if (options.has('deletes') && hasPacks) {
		if (expiry !== undefined) args.push(`--unpack-unreachable=${expiry}`);
		else if (options.has('loosens')) args.push('--unpack-unreachable');
	}
	return args;
}

/** Arguments that limit deltas and the size of packs. */
function packSizes(options: RepackOptions): string[] {
	const spellings = [
		['window', '--window'],
		['depth', '--depth'],
		['mostBytes', '--max-pack-size']
	] as const;
	return spellings.flatMap(([name, spelling]) => {
		const value = options.get(name);
		return value === undefined ? [] : [`${spelling}=${value}`];
	});
}
