import { absolute } from '#computer/abi/paths.ts';
import { splitLines } from '../diff/lines.ts';
import { failure, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { parsePatches, reversed, type FilePatch } from '../patch/file-patch.ts';
import { patchNumstat, patchStat, patchSummary } from '../patch/summary.ts';
import { PatchTarget } from '../patch/target.ts';
import { quotePath } from '../quote-path.ts';
import { missingAsNull } from '../objects/store.ts';
import { Repository } from '../repository.ts';

/** `git apply`: all patches or none. It works outside a repository too. */
export const apply: Command = (git, args) => {
	const options = parseOptions('apply [<options>] [<patch>...]', args, {
		check: '--check',
		stat: '--stat',
		numstat: '--numstat',
		summary: '--summary',
		apply: '--apply',
		index: '--index',
		cached: '--cached',
		reverse: '-R --reverse',
		strip: '-p =',
		directory: '--directory =',
		verbose: '-v --verbose',
		quiet: '-q --quiet',
		noContext: '--unidiff-zero',
		ignoreSpace: '--ignore-whitespace --ignore-space-change',
		allowEmpty: '--allow-empty',
		whitespace: '--whitespace =',
		accepted: '--recount --inaccurate-eof --allow-overlap --unsafe-paths',
		threeWay: '-3 --3way',
		reject: '--reject'
	});
	for (const [name, text] of [
		['threeWay', '--3way'],
		['reject', '--reject']
	] as const) {
		if (options.has(name)) throw failure(`git apply ${text} is not here: a patch is applied whole or not at all`, 1);
	}
	const needsRepository = options.has('index') || options.has('cached');
	const repository = needsRepository ? git.repository : repositoryOrDirectory(git);
	const { prefix } = repository;
	const strip = Number(options.get('strip') ?? 1);
	const inside = options.get('directory')?.replace(/\/*$/, '/') ?? '';
	const patches = (options.operands.length > 0 ? options.operands : ['-'])
		.flatMap((name) => parsePatches(splitLines(read(git, name)), strip))
		.map((patch) => (options.has('reverse') ? reversed(patch) : patch))
		.map((patch) => moved(patch, inside + (patch.isGit ? '' : prefix)))
		.filter((patch) => patch.newPath.startsWith(prefix));
	if (patches.length === 0 && !options.has('allowEmpty') && prefix === '')
		throw new GitError('error: No valid patches in input (allow with "--allow-empty")', 128);
	const onlyTold = ['check', 'stat', 'numstat', 'summary'].some((name) => options.has(name as 'check'));
	const say = (text: string): void => {
		if (options.has('verbose')) git.err(text);
	};
	const where = options.has('cached') ? 'index' : options.has('index') ? 'both' : 'files';
	const target = new PatchTarget(repository, where, {
		ignoreSpace: options.has('ignoreSpace'),
		noContext: options.has('noContext')
	});
	if (!onlyTold || options.has('check') || options.has('apply')) {
		const problems = patches.flatMap((patch) => {
			say(`Checking patch ${described(patch)}...\n`);
			return target.take(patch);
		});
		for (const problem of problems) git.err(`error: ${problem}\n`);
		if (problems.length > 0) return 1;
		if (!onlyTold || options.has('apply')) {
			target.write();
			for (const patch of patches) say(`Applied patch ${described(patch)} cleanly.\n`);
		}
	}
	if (options.has('stat')) git.out(patchStat(patches));
	if (options.has('numstat')) git.out(patchNumstat(patches));
	if (options.has('summary')) git.out(patchSummary(patches));
	return 0;
};

function repositoryOrDirectory(git: Invocation): Repository {
	try {
		return git.repository;
	} catch (error) {
		if (error instanceof GitError) return new Repository(git.surroundings, git.cwd);
		throw error;
	}
}

function read(git: Invocation, name: string): Uint8Array {
	if (name === '-') return git.input();
	const bytes = missingAsNull(() => git.context.sync.readFile(absolute(name, git.cwd)));
	if (!bytes) throw new GitError(`error: can't open patch '${name}': No such file or directory`, 128);
	return bytes;
}

const moved = (patch: FilePatch, prefix: string): FilePatch => ({
	...patch,
	oldPath: prefix + patch.oldPath,
	newPath: prefix + patch.newPath
});

const described = ({ kind, oldPath, newPath }: FilePatch) =>
	kind === 'rename' || kind === 'copy' ? `${quotePath(oldPath)} => ${quotePath(newPath)}` : quotePath(newPath);
