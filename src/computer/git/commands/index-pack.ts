import { FILE_BYTES } from '#computer/abi/limits.ts';
import { absolute, dirname } from '#computer/abi/paths.ts';
import { encode, toHex } from '../bytes.ts';
import { integerOf } from '../config/values.ts';
import { fatal, GitError } from '../errors.ts';
import { humanBytes } from '../human-size.ts';
import type { Command, Invocation } from '../invocation.ts';
import type { BuiltPack } from '../objects/build-pack.ts';
import { completePack } from '../objects/complete-pack.ts';
import { keepBuiltPack, writeReadOnly } from '../objects/keep-pack.ts';
import { PackReceiver } from '../objects/pack-receiver.ts';
import { requireRight } from '../objects/strict-pack.ts';
import { missingAsNull } from '../objects/store.ts';
import { parseOptions, type Options } from '../options.ts';
import { isInRepository } from './config.ts';
import { indexVersion } from './pack-settings.ts';
import { verifyPacks } from './verify-pack.ts';

const USAGE =
	'index-pack [-v] [-o <index-file>] [--keep | --keep=<msg>] [--[no-]rev-index] [--verify] [--strict] (<pack-file> | --stdin [--fix-thin] [<pack-file>])';

const OPTIONS = {
	verbose: '-v',
	output: '-o =',
	keep: '--keep ?',
	stdin: '--stdin',
	fixThin: '--fix-thin',
	verify: '--verify',
	verifyStat: '--verify-stat',
	verifyStatOnly: '--verify-stat-only',
	strict: '--strict ?',
	fsck: '--fsck-objects ?',
	connected: '--check-self-contained-and-connected',
	mostBytes: '--max-input-size =',
	version: '--index-version =',
	promised: '--promisor ?',
	// Ignored: a reverse index and the number of threads only affect speed.
	unneeded: '--rev-index --no-rev-index --progress --no-progress',
	threads: '--threads --progress-title --object-format ='
};

type IndexOptions = Options<keyof typeof OPTIONS>;

/** `git index-pack`: writes the index of a pack in a file or on stdin. */
export const indexPack: Command = (git, args) => {
	const options = parseOptions(USAGE, args, OPTIONS);
	const [file, ...more] = [...options.operands, ...(options.paths ?? [])];
	if (more.length > 0 || (file === undefined && !options.has('stdin'))) throw new GitError(`usage: git ${USAGE}`, 129);
	const repository = isInRepository(git) ? git.repository : null;
	if (options.has('fixThin') && !options.has('stdin')) throw fatal('the option --fix-thin requires --stdin');
	if (options.has('stdin') && !repository) throw fatal('--stdin requires a git repository');
	const path = file === undefined ? null : absolute(file, git.cwd);
	if (options.has('verify') || options.has('verifyStat') || options.has('verifyStatOnly')) {
		const how = { isVerbose: options.has('verifyStat'), isStatOnly: options.has('verifyStatOnly') };
		return verifyPacks(git, [file ?? ''], how) ? 0 : 1;
	}
	if (path !== null && !options.has('stdin') && !path.endsWith('.pack') && !options.has('output'))
		throw fatal(`packfile name '${file ?? ''}' does not end with '.pack'`);
	const version = indexVersion(options.get('version') ?? repository?.config.get('pack.indexversion'));
	const receiver = receive(git, options, path);
	const received = receiver.pack();
	const outside = receiver.outsideBases;
	if (outside.length > 0 && !options.has('fixThin'))
		throw fatal(`pack has ${receiver.thinCount} unresolved delta${receiver.thinCount === 1 ? '' : 's'}`);
	if (options.has('strict') || options.has('fsck')) {
		const known = options.has('strict') && repository ? repository.objects : null;
		const levels = (kind: string) => repository?.config.get(`fsck.${kind}`);
		requireRight(receiver, known, { err: (text) => git.err(text), levels });
	}
	keep(git, options, path, completePack(received, receiver.placed(), outside, version));
	return 0;
};

/**
 * Stores a thin pack, completed with objects of the repository.
 *
 * @param promisedBy text of its `.promisor` file; null for none
 */
export function keepThinPack({ repository }: Invocation, pack: Uint8Array, promisedBy: string | null): void {
	const { objects, files } = repository;
	const receiver = new PackReceiver((id) => objects.find(id), true);
	receiver.push(pack);
	receiver.finish();
	const built = completePack(receiver.pack(), receiver.placed(), receiver.outsideBases, indexVersion(undefined));
	keepBuiltPack(files, `${objects.directory}/pack/pack`, built);
	if (promisedBy !== null)
		writeReadOnly(files, `${objects.directory}/pack/pack-${built.digest}.promisor`, encode(`${promisedBy}\n`));
	objects.reopen();
}

/** Reads a pack from a file or stdin. */
function receive(git: Invocation, options: IndexOptions, path: string | null): PackReceiver {
	const most = integerOf(options.get('mostBytes') ?? '0') ?? 0;
	const repository = isInRepository(git) ? git.repository : null;
	const receiver = new PackReceiver((id) => repository?.objects.find(id) ?? null, true);
	let size = 0;
	const push = (bytes: Uint8Array): void => {
		size += bytes.length;
		if (most > 0 && size > most) throw fatal(`pack exceeds maximum allowed size (${humanBytes(most)})`);
		receiver.push(bytes);
	};
	if (options.has('stdin')) {
		for (let bytes = read(git); bytes.length > 0; bytes = read(git)) push(bytes);
	} else {
		const bytes = missingAsNull(() => git.context.sync.readFile(path ?? ''));
		if (!bytes) throw fatal(`cannot open packfile '${options.operands[0] ?? ''}': No such file or directory`);
		push(bytes);
	}
	receiver.finish();
	return receiver;
}

const READ_BYTES = Math.min(65_536, FILE_BYTES);
const read = (git: Invocation): Uint8Array => git.context.sync.read(0, READ_BYTES);

/** Writes the index, and the pack if it came from stdin. */
function keep(git: Invocation, options: IndexOptions, path: string | null, built: BuiltPack): void {
	const { sync } = git.context;
	const isInStore = path === null;
	const base = isInStore
		? `${git.repository.objects.directory}/pack/pack-${built.digest}`
		: path.replace(/\.pack$/, '');
	const output = options.get('output');
	if (isInStore) sync.mkdir(dirname(base), { recursive: true });
	const keepText = options.get('keep');
	if (options.has('stdin')) writeReadOnly(sync, isInStore ? `${base}.pack` : path, built.pack);
	const index = output === undefined ? `${base}.idx` : absolute(output, git.cwd);
	const before = missingAsNull(() => sync.readFile(index));
	if (before && toHex(before) !== toHex(built.index)) sync.remove(index, { force: true });
	writeReadOnly(sync, index, built.index);
	if (keepText !== undefined) {
		const text = keepText === '' ? '' : `${keepText}\n`;
		writeReadOnly(sync, `${base}.keep`, encode(text));
	}
	if (isInStore) git.repository.objects.reopen();
	const word = keepText === undefined ? 'pack' : 'keep';
	git.out(options.has('stdin') ? `${word}\t${built.digest}\n` : `${built.digest}\n`);
}
