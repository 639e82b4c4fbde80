import { lineRegex } from '../history/regex.ts';
import { choosesColor, COLOR_RESET, isColorTerminal, slotColor } from '../color-choice.ts';
import { pathOf } from '../diff/change.ts';
import { binaryBytes } from '../diff/lines.ts';
import { DIFF_OPTIONS, formatHow, scriptFormat } from '../diff/options.ts';
import { selectChanges } from '../diff/select.ts';
import { GitError } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import type { Pathspec } from '../worktree/pathspec.ts';
import { applyChosen } from './apply-chosen.ts';
import { helpText, MORE_HELP, type ChoiceMode } from './choice-mode.ts';
import { Dialogue } from './dialogue.ts';
import { editedHunk } from './edit-hunk.ts';
import { chosenPatch, fileChoices, partsOf, type FileChoice } from './file-choice.ts';
import { headText, splitHunk, type Decision, type Hunk } from './hunk.ts';

/** Lets the user choose hunks of changed files, and applies them. Returns the exit code. */
export function chooseHunks(
	git: Invocation,
	mode: ChoiceMode,
	pathspec: Pathspec,
	dialogue: Dialogue = new Dialogue(git)
): number {
	const { repository } = git;
	const algorithm = repository.config.get('diff.algorithm');
	const given = [
		...['-p', '--no-renames', '--ignore-submodules=dirty'],
		...(mode.isTurned ? ['-R'] : []),
		...(algorithm === undefined ? [] : [`--diff-algorithm=${algorithm}`])
	];
	const form = (color: string) =>
		scriptFormat(parseOptions('diff-files', [...given, color], DIFF_OPTIONS), formatHow(git, false));
	if (!mode.isIndexAlone) sayUnmerged(git);
	const isColored = choosesColor(repository.config, undefined, ['color.diff', 'color.ui'], () => isColorTerminal(git));
	const changes = selectChanges(
		repository,
		mode.changes(repository).filter(({ status }) => status !== 'U'),
		pathspec,
		parseOptions('diff-files', given, DIFF_OPTIONS),
		{ isForPeople: false }
	).filter((change) => !repository.index.unmerged().includes(pathOf(change)));
	const plain = form('--no-color');
	const painted = isColored ? form('--color') : null;
	const choices = changes.flatMap((change) => fileChoices(repository, change, plain, painted));
	const texts = choices.filter(({ isBinary, hunks }) => !isBinary || hunks.length > 0);
	for (const choice of texts) if (new FileDialogue(git, mode, choice, dialogue, isColored).run()) break;
	if (choices.length === 0) git.err('No changes.\n');
	else if (texts.length === 0) git.err('Only binary files changed.\n');
	return 0;
}

const SHOWN_HUNKS = 20;
const PLACE_WIDTH = 20;
const SUMMARY_WIDTH = 80;

/** Positions of the previous and the next undecided hunk. */
interface Around {
	before: number;
	behind: number;
}

/** Dialogue about the hunks of one file. */
class FileDialogue {
	#at = 0;

	constructor(
		private readonly git: Invocation,
		private readonly mode: ChoiceMode,
		private readonly file: FileChoice,
		private readonly dialogue: Dialogue,
		private readonly isColored: boolean
	) {}

	/** @returns true if the user quits */
	run(): boolean {
		const { git, file } = this;
		// An empty new file has no hunks.
		if (file.hunks.length === 0 && file.kind !== 'added') return false;
		git.out(binaryBytes(file.paintedHead.join('')));
		const isQuit = this.#ask();
		if (file.hunks.length > 0 ? file.hunks.some(({ decision }) => decision === 'use') : file.decision === 'use')
			this.#apply();
		git.out('\n');
		return isQuit;
	}

	#ask(): boolean {
		const { file } = this;
		for (;;) {
			if (this.#at >= file.hunks.length) this.#at = 0;
			const hunk = file.hunks[this.#at];
			const around = this.#around();
			if (around.before < 0 && around.behind < 0 && (hunk ?? file).decision !== 'open') return false;
			if (hunk) this.git.out(binaryBytes(this.#head(hunk) + hunk.painted.join('')));
			const letters = hunk ? this.#letters(hunk, around) : [];
			const answer = this.dialogue.ask(this.#question(letters));
			if (answer === null) return false;
			if (answer === '') continue;
			if (this.#act(answer, letters, around)) return true;
		}
	}

	/** Nearest undecided hunks before and after the current one; -1 if none. */
	#around(): Around {
		const isOpen = (hunk: Hunk) => hunk.decision === 'open';
		const { hunks } = this.file;
		return {
			before: hunks.slice(0, this.#at).findLastIndex(isOpen),
			behind: hunks.findIndex((hunk, at) => at > this.#at && isOpen(hunk))
		};
	}

	#head(hunk: Hunk): string {
		const text = headText(hunk, 0, this.mode.isReverse);
		if (!this.isColored || text === '') return text;
		const frag = slotColor(this.git.repository, 'diff', 'frag', 'cyan');
		return `${frag}${text.slice(0, text.length - hunk.heading.length - 1)}${COLOR_RESET}${hunk.heading}\n`;
	}

	/** Keys that are available for this hunk only. */
	#letters(hunk: Hunk, { before, behind }: Around): string[] {
		const { hunks, hasModeChange, kind } = this.file;
		return [
			...(before >= 0 ? ['k'] : []),
			...(this.#at > 0 ? ['K'] : []),
			...(behind >= 0 ? ['j'] : []),
			...(this.#at + 1 < hunks.length ? ['J'] : []),
			...(hunks.length > 1 ? ['g', '/'] : []),
			...(partsOf(hunk) > 1 ? ['s'] : []),
			...(this.#at + 1 > (hasModeChange ? 1 : 0) && kind !== 'deleted' ? ['e'] : [])
		];
	}

	#question(letters: readonly string[]): string {
		const { file, mode } = this;
		const what =
			file.kind === 'deleted'
				? 'deletion'
				: file.kind === 'added'
					? 'addition'
					: file.hasModeChange && this.#at === 0
						? 'mode change'
						: 'this hunk';
		const place = `(${this.#at + 1}/${file.hunks.length || 1})`;
		const more = letters.map((letter) => `,${letter}`).join('');
		return this.dialogue.paint('prompt', `${place} ${mode.verb} ${what}${mode.place} [y,n,q,a,d${more},?]? `);
	}

	/** @returns true if the user quits */
	#act(answer: string, letters: readonly string[], around: Around): boolean {
		const { file, dialogue } = this;
		const letter = answer[0]!;
		const rest = answer.slice(1);
		switch (letter.toLowerCase()) {
			case 'y':
				this.#decide('use', around);
				return false;
			case 'n':
				this.#decide('skip', around);
				return false;
			case 'a':
				this.#decideRest('use');
				return false;
			case 'd':
			case 'q':
				this.#decideRest('skip');
				return letter.toLowerCase() === 'q';
		}
		const can = letters.includes(letter);
		if (letter === 'K' || letter === 'k') {
			if (can) this.#at = letter === 'K' ? this.#at - 1 : around.before;
			else dialogue.refuse('No previous hunk');
		} else if (letter === 'J' || letter === 'j') {
			if (can) this.#at = letter === 'J' ? this.#at + 1 : around.behind;
			else dialogue.refuse('No next hunk');
		} else if (letter === 'g') {
			if (can) this.#goTo(rest.trim());
			else dialogue.refuse('No other hunks to goto');
		} else if (letter === '/') {
			if (can) this.#search(rest);
			else dialogue.refuse('No other hunks to search');
		} else if (letter === 's') {
			if (can) this.#split();
			else dialogue.refuse('Sorry, cannot split this hunk');
		} else if (letter === 'e') {
			if (!can) dialogue.refuse('Sorry, cannot edit this hunk');
			else if (this.#edit(file.hunks[this.#at]!)) this.#decide('use', around);
		} else this.#help(letters);
		return false;
	}

	#decide(decision: Decision, { behind }: Around): void {
		const { file } = this;
		const hunk = file.hunks[this.#at];
		(hunk ?? file).decision = decision;
		this.#at = behind < 0 ? file.hunks.length : behind;
	}

	#decideRest(decision: Decision): void {
		const { file } = this;
		if (file.hunks.length === 0 && file.decision === 'open') file.decision = decision;
		for (const hunk of file.hunks.slice(this.#at)) if (hunk.decision === 'open') hunk.decision = decision;
		this.#at = file.hunks.length;
	}

	#goTo(given: string): void {
		const { git, file, dialogue } = this;
		const { hunks } = file;
		let shown = Math.max(this.#at - SHOWN_HUNKS / 2, file.hasModeChange ? 1 : 0);
		let answer = given;
		while (answer === '') {
			const end = Math.min(shown + SHOWN_HUNKS, hunks.length);
			for (; shown < end; shown++) git.out(binaryBytes(summaryLine(hunks[shown]!, shown + 1)));
			const more = shown < hunks.length ? ' (<ret> to see more)' : '';
			const line = dialogue.ask(`go to which hunk${more}? `);
			if (line === null) break;
			answer = line.trim();
		}
		const number = /^\d+$/.test(answer) ? Number(answer) : NaN;
		if (Number.isNaN(number)) dialogue.refuse(`Invalid number: '${answer}'`);
		else if (number > 0 && number <= hunks.length) this.#at = number - 1;
		else dialogue.refuse(`Sorry, only ${hunks.length} hunk${hunks.length === 1 ? '' : 's'} available.`);
	}

	#search(given: string): void {
		const { file, dialogue, mode } = this;
		const pattern = given === '' ? (dialogue.ask('search for regex? ') ?? '') : given;
		if (pattern === '') return;
		const regex = this.#regex(pattern);
		if (!regex) return;
		const texts = file.hunks.map((hunk) => headText(hunk, 0, mode.isReverse) + hunk.lines.join(''));
		const isFound = (text: string) => text.split('\n').some((line) => regex.test(line));
		const order = texts.map((_, step) => (this.#at + step) % texts.length);
		const found = order.find((at) => isFound(texts[at]!));
		if (found === undefined) dialogue.refuse('No hunk matches the given pattern');
		else this.#at = found;
	}

	#regex(pattern: string): RegExp | null {
		try {
			return lineRegex(pattern, 'extended', false);
		} catch (error) {
			if (!(error instanceof GitError)) throw error;
			this.dialogue.refuse(`Malformed search regexp ${pattern}: ${error.message}`);
			return null;
		}
	}

	#split(): void {
		const { file, dialogue, git } = this;
		const parts = splitHunk(file.hunks[this.#at]!);
		file.hunks.splice(this.#at, 1, ...parts);
		git.out(`${dialogue.paint('header', `Split into ${parts.length} hunks.`)}\n`);
	}

	/** @returns true if the hunk was edited and applies */
	#edit(before: Hunk): boolean {
		const { git, file, mode, dialogue } = this;
		for (;;) {
			const edited = editedHunk(git, before, mode);
			if (!edited) return false;
			file.hunks[this.#at] = { ...edited, painted: edited.lines.map((line) => this.#painted(line)) };
			const patch = chosenPatch(file, mode.isReverse, true);
			const how = { isReverse: mode.isReverse, where: mode.checked, isCheck: true };
			if ('text' in patch && applies(git, patch.text, how)) return true;
			if ('fault' in patch) git.err(`error: ${patch.fault}\n`);
			file.hunks[this.#at] = before;
			const question = 'Your edited hunk does not apply. Edit again (saying "no" discards!) [y/n]? ';
			if (!dialogue.confirm(question)) return false;
		}
	}

	#painted(line: string): string {
		if (!this.isColored) return line;
		const [slot, usual] = line.startsWith('-')
			? ['old', 'red']
			: line.startsWith('+')
				? ['new', 'green']
				: ['context', 'normal'];
		const color = slotColor(this.git.repository, 'diff', slot!, usual!);
		return `${color}${line.replace(/\n$/, '')}${COLOR_RESET}\n`;
	}

	#help(letters: readonly string[]): void {
		const { git, dialogue, mode } = this;
		git.out(dialogue.paint('help', helpText(mode)));
		for (const line of MORE_HELP)
			if (line.startsWith('?') || letters.includes(line[0]!)) git.out(`${dialogue.paint('help', line)}\n`);
	}

	#apply(): void {
		const { git } = this;
		this.#applyChosen();
		sayUnmerged(git);
	}

	#applyChosen(): void {
		const { git, file, mode, dialogue } = this;
		const { isReverse, target } = mode;
		const patch = chosenPatch(file, isReverse);
		if ('fault' in patch) return git.err(`error: ${patch.fault}\n`);
		const { text } = patch;
		if (target !== 'both') {
			if (!applies(git, text, { isReverse, where: target })) git.err("error: 'git apply' failed\n");
			return;
		}
		const fits = (where: 'index' | 'files') => applies(git, text, { isReverse, where, isCheck: true });
		const [fitsIndex, fitsFiles] = [fits('index'), fits('files')];
		if (fitsIndex && fitsFiles) {
			applies(git, text, { isReverse, where: 'index' });
			applies(git, text, { isReverse, where: 'files' });
		} else if (!fitsIndex) {
			dialogue.refuse('The selected hunks do not apply to the index!');
			if (dialogue.confirm('Apply them to the worktree anyway? ')) applies(git, text, { isReverse, where: 'files' });
			else dialogue.refuse('Nothing was applied.\n');
		} else git.err(text);
	}
}

/** Lists the files in conflict; their hunks are not offered. */
function sayUnmerged(git: Invocation): void {
	for (const path of git.repository.index.unmerged()) git.out(`${path}: needs merge\n`);
}

/** Applies a patch; an invalid patch is reported as not applicable. */
function applies(git: Invocation, text: string, how: Parameters<typeof applyChosen>[2]): boolean {
	try {
		return applyChosen(git, text, how);
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		git.err(`${error.message}\n`);
		return false;
	}
}

/** One-line summary of a hunk: its ranges and its first changed line. */
function summaryLine({ decision, range, lines }: Hunk, number: number): string {
	const mark = decision === 'use' ? '+' : decision === 'skip' ? '-' : ' ';
	const { oldStart, oldCount, newStart, newCount } = range ?? { oldStart: 0, oldCount: 0, newStart: 0, newCount: 0 };
	const place = ` -${oldStart},${oldCount} +${newStart},${newCount} `.padEnd(PLACE_WIDTH);
	const first = lines.find((line) => !line.startsWith(' ')) ?? '';
	const text = (place + first).slice(0, SUMMARY_WIDTH).replace(/\n?$/, '\n');
	return `${mark}${String(number).padStart(2)}: ${text}`;
}
