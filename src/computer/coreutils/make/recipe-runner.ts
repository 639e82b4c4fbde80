import { automaticScope } from './automatic.ts';
import { environmentFor } from './environment.ts';
import { expand } from './expand.ts';
import { MakeEnd } from './failure.ts';
import type { Recipe, TargetFile } from './files.ts';
import { patternOf, stemOf } from './names.ts';
import { commandsOf, type LineMarks, marksOf, unmarked, withJoinedReferences } from './recipe-lines.ts';
import { type RecipeShell, shellFor, wordsFor } from './shell-output.ts';
import type { SpecialTargets } from './special-targets.ts';
import { type MakeState, placeText } from './state.ts';
import { NEWEST } from './times.ts';
import type { Scope } from './variables.ts';

interface Line {
	index: number;
	text: string;
	marks: LineMarks;
	/** `file:line` of the line. */
	place: string;
}

/** Environment and shell shared by all commands of a recipe. */
interface Surroundings {
	environment: ReadonlyMap<string, string>;
	shell: RecipeShell;
}

/** Runs recipes, and records the results for the files. */
export class RecipeRunner {
	/** Number of commands that were started, or would be. */
	started = 0;

	constructor(
		private readonly state: MakeState,
		private readonly special: SpecialTargets,
		/** Called before an error is printed. */
		private readonly beforeError: () => Promise<void>,
		/** Returns true while an optional makefile is updated. */
		private readonly isQuiet: () => boolean
	) {}

	/** Makes a file using its recipe. @throws MakeEnd if that fails and make does not continue */
	async run(file: TargetFile): Promise<void> {
		const { recipe } = file;
		const { switches } = this.state;
		if (!recipe) return;
		if (switches.touches && !recipe.lines.some((line) => marksOf(line).runsAlways)) {
			file.outcome = 'success';
			return this.finish(file, false);
		}
		const isDefault = this.special.fallback?.recipe === recipe;
		const scope = await automaticScope(this.state, file, { isDefault });
		let first: Promise<Surroundings> | undefined;
		const surroundings = (): Promise<Surroundings> => (first ??= this.#surroundingsIn(scope));
		for (const line of await this.#expanded(recipe, scope)) {
			const outcome = await this.#runLine(file, line, surroundings);
			if (outcome === 'success') continue;
			file.outcome = outcome;
			await this.finish(file, true);
			if (outcome === 'failed' && !switches.keepsGoing && !this.isQuiet()) throw new MakeEnd(2);
			return;
		}
		file.outcome = 'success';
		await this.finish(file, true);
	}

	/** Expands all lines before the first one runs. */
	async #expanded(recipe: Recipe, scope: Scope): Promise<Line[]> {
		const { state } = this;
		const lines: Line[] = [];
		const written = state.isOneShell ? [recipe.lines.join('\n')] : recipe.lines;
		let number = recipe.first;
		for (const line of written) {
			state.place = recipe.place && { file: recipe.place.file, line: number };
			const marks = marksOf(line);
			const text = await expand(state, scope, withJoinedReferences(line));
			lines.push({ index: lines.length, text, marks, place: recipe.place ? placeText(state.place) : '<builtin>' });
			number += line.split('\n').length;
		}
		state.place = null;
		return lines;
	}

	async #runLine(
		file: TargetFile,
		line: Line,
		surroundings: () => Promise<Surroundings>
	): Promise<'success' | 'failed' | 'question'> {
		const commands = this.state.isOneShell ? [oneText(line.text, await surroundings())] : commandsOf(line.text);
		for (const command of commands) {
			const own = marksOf(command);
			if (own.runsAlways && file.recipe) (file.recipe.always ??= new Set()).add(line.index);
			const marks = {
				isSilent: line.marks.isSilent || own.isSilent,
				ignoresErrors: line.marks.ignoresErrors || own.ignoresErrors,
				runsAlways: line.marks.runsAlways || own.runsAlways
			};
			const outcome = await this.#runCommand(file, unmarked(command), marks, line.place, surroundings);
			if (outcome !== 'success') return outcome;
		}
		return 'success';
	}

	async #runCommand(
		file: TargetFile,
		command: string,
		marks: LineMarks,
		place: string,
		surroundings: () => Promise<Surroundings>
	): Promise<'success' | 'failed' | 'question'> {
		const { state } = this;
		const { switches } = state;
		if (command.replaceAll('\\\n', ' ').trim() === '') return 'success';
		if (switches.asksOnly && !marks.runsAlways) return 'question';
		if (switches.touches && !marks.runsAlways) return 'success';
		const isSilent = marks.isSilent || switches.isSilent || this.special.isSilent || file.isSilent;
		if (switches.isDryRun || !isSilent) await state.say(`${command}\n`);
		this.started++;
		if (switches.isDryRun && !marks.runsAlways) return 'success';
		const code = await this.#start(command, await surroundings());
		if (code === 0) return 'success';
		// The command is make itself, which reports that something has to be done.
		if (switches.asksOnly && code === 1) return 'question';
		const ignored = marks.ignoresErrors || switches.ignoresErrors || this.special.ignoresErrors || file.ignoresErrors;
		if (this.isQuiet() && !ignored) return 'failed';
		await this.beforeError();
		const what = code > 128 && code < 160 ? (SIGNALS[code - 128] ?? `Error ${code}`) : `Error ${code}`;
		await state.machine.complain(
			`${state.name}: ${ignored ? '' : '*** '}[${place}: ${file.name}] ${what}${ignored ? ' (ignored)' : ''}\n`
		);
		if (ignored) return 'success';
		if (this.special.deletesOnError || code > 128) await this.#deleteChanged(file);
		return 'failed';
	}

	async #surroundingsIn(scope: Scope): Promise<Surroundings> {
		const { state } = this;
		const environment = await environmentFor(state, scope);
		return { environment, shell: await shellFor((text) => expand(state, scope, text)) };
	}

	async #start(command: string, { environment, shell }: Surroundings): Promise<number> {
		const { state } = this;
		const argv = wordsFor(shell, command);
		const why = state.machine.missing(argv[0] ?? '');
		await state.say('');
		if (why !== null) {
			await state.machine.complain(`${state.name}: ${argv[0] ?? ''}: ${why}\n`);
			return 127;
		}
		return state.machine.run(argv, environment);
	}

	async #deleteChanged(file: TargetFile): Promise<void> {
		const { machine, name } = this.state;
		for (const one of [file, ...file.alsoMakes]) {
			if (one.isPrecious || one.isPhony) continue;
			const time = machine.modified(one.name);
			if (time === null || machine.isDirectory(one.name) || time === one.timeBefore) continue;
			const about = one === file ? '' : `[${file.name}] `;
			await machine.complain(`${name}: *** ${about}Deleting file '${one.name}'\n`);
			machine.remove(one.name);
		}
	}

	/** Records that a file was made, has failed or was up to date. @param ran whether a recipe was run */
	async finish(file: TargetFile, ran: boolean): Promise<void> {
		const { switches } = this.state;
		file.isUpdated = true;
		let touched = false;
		const marks = file.recipe?.lines.map(marksOf) ?? [];
		const hasPlain = marks.some(({ runsAlways }, index) => !runsAlways && !file.recipe?.always?.has(index));
		if (switches.touches && file.outcome === 'success' && (hasPlain || marks.length === 0)) {
			if (!file.isPhony && file.recipe) touched = await this.#touch(file);
		}
		if ((ran && !file.isPhony) || touched) {
			const onlySaid = (switches.asksOnly || switches.isDryRun || switches.touches) && file.recipe !== null;
			file.time = onlySaid && hasPlain ? NEWEST : undefined;
		}
		if (ran && file.outcome !== null)
			for (const other of file.alsoMakes) {
				Object.assign(other, { isUpdated: true, outcome: file.outcome, timeBefore: other.timeBefore ?? null });
				if (!other.isPhony) other.time = file.time === NEWEST ? NEWEST : undefined;
			}
		file.outcome ??= 'success';
	}

	async #touch(file: TargetFile): Promise<boolean> {
		const { switches, machine } = this.state;
		if (!switches.isSilent) await this.state.say(`touch ${file.name}\n`);
		this.started++;
		if (switches.isDryRun || switches.asksOnly) return true;
		machine.touch(file.name);
		return true;
	}

	/** Removes intermediate files that were only made for others. */
	async removeIntermediates(): Promise<void> {
		const { state, special } = this;
		if (special.isAllSecondary) return;
		const removed: string[] = [];
		for (const file of state.files.all()) {
			if (!file.isIntermediate || file.isPrecious || file.isSecondary || file.isGoal || file.outcome === null) continue;
			if (special.precious.some((pattern) => stemOf(patternOf(pattern), file.name) !== null)) continue;
			if (state.makefiles.some(({ name }) => name === file.name || name === file.foundAt)) continue;
			if (state.machine.modified(file.name) === null && !state.switches.isDryRun) continue;
			if (!state.switches.isDryRun) state.machine.remove(file.name);
			removed.push(file.name);
		}
		if (removed.length > 0 && !state.switches.isSilent) await state.say(`rm ${removed.join(' ')}\n`);
	}
}

/** Joins all lines for one shell: if it is a standard shell, prefix characters are removed. */
function oneText(text: string, { shell: { shell } }: Surroundings): string {
	if (!isShell(shell)) return text;
	return text
		.split('\n')
		.map((line, index) => (index === 0 ? line : unmarked(line)))
		.join('\n');
}

const isShell = (shell: string): boolean => /^(?:.*\/)?(?:sh|bash|dash|ksh|rksh|zsh|ash)$/.test(shell);

/** make's messages for a program that was ended by a signal. */
const SIGNALS: Record<number, string> = {
	...{ 1: 'Hangup', 2: 'Interrupt', 3: 'Quit', 4: 'Illegal instruction', 6: 'Aborted', 8: 'Floating point exception' },
	...{ 9: 'Killed', 11: 'Segmentation fault', 13: 'Broken pipe', 14: 'Alarm clock', 15: 'Terminated' }
};
