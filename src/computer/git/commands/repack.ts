import { fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { basename } from '#computer/abi/paths.ts';
import { parseOptions, type Options } from '../options.ts';
import { makePacks } from './pack-objects.ts';
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
	// Ignored: bitmaps and delta islands only affect speed.
	unneeded: '-b --write-bitmap-index --no-write-bitmap-index -i --delta-islands --no-progress',
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
	const made = makePacks(git, packArguments(git, options, before.length > 0), base);
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
	for (const [name, spelling] of [
		['window', '--window'],
		['depth', '--depth'],
		['mostBytes', '--max-pack-size']
	] as const) {
		const value = options.get(name);
		if (value !== undefined) args.push(`${spelling}=${value}`);
	}
	if (!options.has('all') && !options.has('loosens')) return [...args, '--unpacked', '--incremental'];
	const expiry = options.get('unpacks');
	if (options.has('keepsUnreachable')) args.push('--keep-unreachable', '--pack-loose-unreachable');
	else if (options.has('deletes') && hasPacks) {
		if (expiry !== undefined) args.push(`--unpack-unreachable=${expiry}`);
		else if (options.has('loosens')) args.push('--unpack-unreachable');
	}
	return args;
}
