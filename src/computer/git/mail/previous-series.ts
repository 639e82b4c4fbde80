import { booleanOf } from '../config/values.ts';
import { compareTrees } from '../diff/change.ts';
import { NO_DIFF, type DiffFormat } from '../diff/format.ts';
import { printChanges } from '../diff/print.ts';
import { fatal, GitError } from '../errors.ts';
import { mergeBasesOfAll, parseRange, type Range } from '../history/walk.ts';
import type { Invocation } from '../invocation.ts';
import type { NOTES_OPTIONS } from '../notes/shown-notes.ts';
import type { Options } from '../options.ts';
import { resolveCommit } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { isCommitRange } from '../series/commit-range.ts';
import { rangeDiff, USUAL_CREATION } from '../series/range-diff.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import type { PatchSeries } from './patch-series.ts';

/** Options that compare a series with its previous version. */
export const PREVIOUS_OPTIONS = {
	interdiff: '--interdiff =',
	rangeDiff: '--range-diff =',
	creation: '--creation-factor ='
};

type PreviousOptions = Options<keyof typeof PREVIOUS_OPTIONS | keyof typeof NOTES_OPTIONS | 'reroll' | 'color'>;

/** Note options equivalent to the setting `format.notes`. */
export function notesArguments({ config }: Repository): string[] {
	return config.values('format.notes').map((value) => {
		const flag = booleanOf(value);
		return flag === undefined || flag === null ? `--notes=${value}` : flag ? '--notes' : '--no-notes';
	});
}

/** Compares a series with its previous version. */
export class PreviousSeries {
	constructor(
		private readonly git: Invocation,
		private readonly options: PreviousOptions,
		private readonly series: PatchSeries,
		private readonly format: DiffFormat
	) {}

	/** @throws GitError if there is no mail to put the comparison in */
	check(hasCover: boolean): void {
		const { options, series } = this;
		if (options.has('creation') && !options.has('rangeDiff'))
			throw fatal("the option '--creation-factor' requires '--range-diff'");
		if (hasCover || series.commits.length === 1) return;
		if (options.has('interdiff')) throw fatal("the option '--interdiff' requires '--cover-letter or single patch'");
		if (options.has('rangeDiff')) throw fatal("the option '--range-diff' requires '--cover-letter or single patch'");
	}

	/** Text at the end of a cover letter. Binary text. */
	inCover(): string {
		return this.#interdiff() + this.#rangeDiff();
	}

	/** Text between the message and the patch of a single mail. Binary text. */
	inPatch(): string {
		const interdiff = this.#interdiff().replace(/^(?=[^\n])(?!Interdiff)/gm, '  ');
		return [interdiff, this.#rangeDiff()].map((text) => (text === '' ? '' : `${text}\n`)).join('');
	}

	/** Title line of a comparison. */
	#title(kind: string): string {
		const version = this.options.get('reroll') ?? '';
		const isLater = /^\d+$/.test(version) && Number(version) > 0;
		return `${kind}${isLater ? ` against v${Number(version) - 1}` : ''}:\n`;
	}

	#interdiff(): string {
		const { git, options, series, format } = this;
		const given = options.get('interdiff');
		if (given === undefined) return '';
		const { repository } = git;
		const last = series.commits.at(-1)!;
		const before = this.#tip(given);
		const changes = compareTrees(repository.objects, repository.commit(before).tree, last.commit.tree);
		return (
			this.#title('Interdiff') +
			printChanges(repository, changes, { ...format, patch: true, stat: false, summary: false })
		);
	}

	/** The tip of the series before. */
	#tip(text: string): string {
		const { repository } = this.git;
		if (!text.includes('..')) return resolveCommit(repository, text);
		const [from = '', to = ''] = text.split(/\.\.\.?/);
		const [left, right] = [resolveCommit(repository, from || 'HEAD'), resolveCommit(repository, to || 'HEAD')];
		return text.includes('...') ? (mergeBasesOfAll(repository, left, [right])[0] ?? right) : right;
	}

	#rangeDiff(): string {
		const { git, options, format } = this;
		const given = options.get('rangeDiff');
		if (given === undefined) return '';
		const creation = options.get('creation') ?? String(USUAL_CREATION);
		if (!/^\d+$/.test(creation)) throw new GitError("error: option `creation-factor' expects a numerical value", 129);
		const text = rangeDiff(git, this.#ranges(given), {
			creation: Number(creation),
			format: { ...NO_DIFF, patch: true, colors: format.colors },
			isDual: true,
			notes: this.#notes(),
			pathspec: new Pathspec(git.repository, [])
		});
		return this.#title('Range-diff') + text;
	}

	#ranges(given: string): [Range, Range] {
		const { repository } = this.git;
		const { commits } = this.series;
		const head = commits.at(-1)!.id;
		const isRange = isCommitRange(repository, given);
		const before = isRange ? null : resolveCommit(repository, given);
		const old = before === null ? parseRange(repository, [given]) : { include: [before], exclude: [head] };
		const origin = commits[0]!.commit.parents;
		if (origin.length > 0) return [old, { include: [head], exclude: [...origin] }];
		if (before === null) throw fatal('failed to infer range-diff origin of current series');
		this.git.err(`warning: using '${given}' as range-diff origin of current series\n`);
		return [old, { include: [head], exclude: [before] }];
	}

	/** Note options: notes that the mails do not show are not compared. */
	#notes(): string[] {
		const given = this.options.inOrder('notes', 'noNotes');
		if (given.length === 0) return ['--no-notes'];
		return given.map(({ name, value }) =>
			name === 'noNotes' ? '--no-notes' : value === '' ? '--notes' : `--notes=${value}`
		);
	}
}
