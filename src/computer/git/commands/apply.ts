import { absolute } from '#computer/abi/paths.ts';
import { encode } from '../bytes.ts';
import { binaryBytes } from '../diff/lines.ts';
import { failure, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions, type Options } from '../options.ts';
import { applyHow, APPLY_OPTIONS, type ApplyHow } from '../patch/apply-options.ts';
import type { FilePatch, PatchHunk } from '../patch/file-patch.ts';
import { repositorySource, writePatched, type PatchPlace } from '../patch/patch-sources.ts';
import { rejectText } from '../patch/reject.ts';
import { patchNumstat, patchStat, patchSummary } from '../patch/summary.ts';
import { PatchTarget } from '../patch/target.ts';
import { ThreeWay } from '../patch/three-way.ts';
import { quotePath } from '../quote-path.ts';
import { missingAsNull } from '../objects/store.ts';
import type { Repository } from '../repository.ts';
import { rememberResolutions } from '../rerere/rerere.ts';
import { repositoryOrDirectory } from '../repository-or-directory.ts';

const OPTIONS = {
	...APPLY_OPTIONS,
	check: '--check',
	stat: '--stat',
	numstat: '--numstat',
	summary: '--summary',
	apply: '--apply',
	index: '--index',
	cached: '--cached',
	intent: '-N --intent-to-add',
	reverse: '-R --reverse',
	verbose: '-v --verbose',
	quiet: '-q --quiet',
	noContext: '--unidiff-zero',
	noAdd: '--no-add',
	zero: '-z',
	allowEmpty: '--allow-empty',
	noAllowEmpty: '--no-allow-empty',
	recount: '--recount',
	inaccurateEnd: '--inaccurate-eof',
	overlap: '--allow-overlap',
	// Accepted, but a path outside the worktree is still rejected.
	unsafe: '--unsafe-paths',
	threeWay: '-3 --3way'
};

type ApplyOptions = Options<keyof typeof OPTIONS>;

/** Exit code if whitespace errors prevent patches from being applied. */
const BLANKS_REFUSED = 128;

/** `git apply`: applies all patches or none. Also works outside a repository. */
export const apply: Command = (git, args) => {
	const options = parseOptions('apply [<options>] [<patch>...]', args, OPTIONS);
	if (options.has('threeWay') && options.has('reject'))
		throw failure("options '--reject' and '--3way' cannot be used together", 128);
	const needsRepository =
		options.has('threeWay') || options.has('index') || options.has('cached') || options.has('intent');
	const repository = needsRepository ? git.repository : repositoryOrDirectory(git);
	const onlyShown = (['check', 'stat', 'numstat', 'summary'] as const).some((name) => options.has(name));
	const applies = !onlyShown || options.has('apply');
	const how = applyHow(repository, options, (text) => !options.has('quiet') && git.err(text), {
		isReverse: options.has('reverse'),
		recounts: options.has('recount'),
		usualAction: applies ? 'warn' : 'nowarn',
		hunks: {
			noContext: options.has('noContext'),
			noAdd: options.has('noAdd'),
			allowsOverlap: options.has('overlap'),
			isEndInaccurate: options.has('inaccurateEnd')
		}
	});
	let code = 0;
	for (const name of options.operands.length > 0 ? options.operands : ['-'])
		code = Math.max(code, new Run(git, repository, options, how).apply(name, applies));
	how.blanks.report(applies);
	return how.blanks.mustFail ? Math.max(code, BLANKS_REFUSED) : code;
};

class Run {
	constructor(
		private readonly git: Invocation,
		private readonly repository: Repository,
		private readonly options: ApplyOptions,
		private readonly how: ApplyHow
	) {}

	/** Applies the patches of one file. Returns the exit code. */
	apply(name: string, isWanted: boolean): number {
		const { options, how, repository } = this;
		const shownName = name === '-' ? '<stdin>' : name;
		const { patches, skipped } = how.read(read(this.git, name), shownName);
		for (const patch of skipped) this.#say(`Skipped patch '${quotePath(patch.newPath)}'.\n`);
		if (patches.length + skipped.length === 0 && options.latest('allowEmpty', 'noAllowEmpty') !== 'allowEmpty')
			throw new GitError('error: No valid patches in input (allow with "--allow-empty")', 128);
		const where: PatchPlace = options.has('cached')
			? 'index'
			: options.has('index') || options.has('threeWay')
				? 'both'
				: 'files';
		const say = (text: string) => void (!options.has('quiet') && this.git.err(text));
		const threeWay = options.has('threeWay') ? new ThreeWay(this.git, say) : undefined;
		const target = new PatchTarget(repositorySource(repository, where), {
			hunks: how.hunks,
			blanksOf: (path) => how.blanks.forFile(path, shownName),
			rejects: how.rejects,
			warn: say,
			threeWay,
			note: (text) => this.#say(text)
		});
		// Whitespace errors prevent patches from being applied, but not from being shown.
		let applies = isWanted && !how.blanks.mustFail;
		if (applies || options.has('check')) {
			const problems = target.takeAll(patches, (patch) => this.#say(`Checking patch ${described(patch)}...\n`));
			for (const problem of problems) if (!options.has('quiet')) this.git.err(`error: ${problem}\n`);
			if (problems.length > 0 && !how.rejects) return 1;
			applies &&= !how.blanks.mustFail;
		}
		let code = applies ? this.#write(target, patches, where) : 0;
		if (applies && threeWay && threeWay.conflicts.size > 0) {
			threeWay.stage();
			if (where === 'both') rememberResolutions(this.git);
			code = 1;
		}
		this.#show(patches);
		return code;
	}

	#say(text: string): void {
		if (this.options.has('verbose') && !this.options.has('quiet')) this.git.err(text);
	}

	#write(target: PatchTarget, patches: readonly FilePatch[], where: PatchPlace): number {
		writePatched(this.repository, target, where, this.options.has('intent') && where === 'files');
		let code = 0;
		for (const patch of patches) {
			const rejected = target.rejected.get(patch);
			if (!rejected) this.#say(`Applied patch ${described(patch)} cleanly.\n`);
			else {
				code = 1;
				this.#reject(patch, rejected);
			}
		}
		return code;
	}

	/** Writes the rejected hunks to a `.rej` file next to the file. */
	#reject(patch: FilePatch, rejected: readonly PatchHunk[]): void {
		const { git, repository } = this;
		const count = `${rejected.length} reject${rejected.length === 1 ? '' : 's'}`;
		const lines = patch.hunks.map((hunk, i) =>
			rejected.includes(hunk) ? `Rejected hunk #${i + 1}.\n` : `Hunk #${i + 1} applied cleanly.\n`
		);
		if (!this.options.has('quiet')) git.err(`Applying patch ${described(patch)} with ${count}...\n${lines.join('')}`);
		const text = rejectText(patch, rejected);
		repository.files.writeFile(repository.absolute(`${patch.newPath}.rej`), binaryBytes(text));
	}

	#show(patches: readonly FilePatch[]): void {
		const { git, options } = this;
		if (options.has('quiet')) return;
		if (options.has('stat')) git.out(encode(patchStat(patches)));
		if (options.has('numstat')) git.out(patchNumstat(patches, options.has('zero')));
		if (options.has('summary')) git.out(patchSummary(patches));
	}
}

function read(git: Invocation, name: string): Uint8Array {
	if (name === '-') return git.input();
	const bytes = missingAsNull(() => git.context.sync.readFile(absolute(name, git.cwd)));
	if (!bytes) throw new GitError(`error: can't open patch '${name}': No such file or directory`, 128);
	return bytes;
}

const described = ({ kind, oldPath, newPath }: FilePatch) =>
	kind === 'rename' || kind === 'copy' ? `${quotePath(oldPath)} => ${quotePath(newPath)}` : quotePath(newPath);
