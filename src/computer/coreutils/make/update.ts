import { MakeEnd } from './failure.ts';
import type { Outcome, Prerequisite, TargetFile } from './files.ts';
import { searchRules } from './implicit-search.ts';
import { RecipeRunner } from './recipe-runner.ts';
import type { SpecialTargets } from './special-targets.ts';
import { type MakeState, sayMissing, type WantedMakefile } from './state.ts';
import { NEWEST, Times } from './times.ts';

/** A file to be made at the top level. */
export interface Goal {
	file: TargetFile;
	/** The makefile to be remade; `null` for a regular goal. */
	makefile: WantedMakefile | null;
}

/** Result of checking prerequisites. */
interface Checked {
	failed: boolean;
	/** One of them is newer, or missing. */
	mustMake: boolean;
}

/** Brings files up to date. */
export class Update {
	readonly times: Times;
	readonly #recipes: RecipeRunner;
	#goal: Goal | null = null;
	#depth = 0;

	constructor(
		private readonly state: MakeState,
		private readonly special: SpecialTargets
	) {
		this.times = new Times(state);
		this.#recipes = new RecipeRunner(
			state,
			special,
			() => this.#complainOfMakefile(),
			() => this.#isQuiet()
		);
	}

	/** Makes goals in order. @returns the outcome; `null` if nothing had to be done */
	async goals(goals: readonly Goal[]): Promise<Outcome | null> {
		let outcome: Outcome | null = null;
		const { switches } = this.state;
		for (const goal of goals) {
			this.#goal = goal;
			const started = this.#recipes.started;
			this.#depth = goal.makefile ? 1 : 0;
			await this.#update(goal.file);
			const did = this.#recipes.started > started;
			const all = [goal.file, ...goal.file.others];
			const worst = all.find(({ outcome: one }) => one === 'failed' || one === 'question')?.outcome ?? null;
			if (worst) {
				outcome = worst === 'failed' || outcome === 'failed' ? 'failed' : worst;
				if (!switches.keepsGoing && !goal.makefile) break;
			} else if (did && outcome === null && this.times.of(goal.file) !== goal.file.timeBefore) outcome = 'success';
			if (!goal.makefile && !worst && !did && !switches.isSilent && !switches.asksOnly) {
				const { file } = goal;
				const isNothing = file.isPhony || !file.recipe;
				await this.state.say(
					`${this.state.name}: ${isNothing ? `Nothing to be done for '${file.name}'.` : `'${file.name}' is up to date.`}\n`
				);
			}
		}
		this.#goal = null;
		return outcome;
	}

	removeIntermediates(): Promise<void> {
		return this.#recipes.removeIntermediates();
	}

	/** Updates a file by all of its rules. @returns true if it failed */
	async #update(file: TargetFile): Promise<boolean> {
		let failed = false;
		// All rules see the time before the first of them ran.
		if (file.others.length > 0) for (const rule of file.others) rule.time ??= this.times.of(file);
		for (const rule of [file, ...file.others]) {
			rule.parent = file.parent;
			failed = (await this.#updateRule(rule, file)) || failed;
			if (failed && !this.state.switches.keepsGoing) break;
		}
		if (file.others.length > 0) {
			// All rules share one file, so its time is the same for all.
			const times = [file, ...file.others].map((rule) => this.times.of(rule)).filter((time) => time !== null);
			if (times.length > 0) for (const rule of [file, ...file.others]) rule.time = Math.max(...times);
		}
		return failed;
	}

	async #updateRule(file: TargetFile, main: TargetFile): Promise<boolean> {
		const { switches } = this.state;
		if (file.isUpdated) {
			if (file.outcome !== 'success' && file.outcome !== null) {
				if (file.failedQuietly && !this.#isQuiet()) await this.#complain(file);
				return true;
			}
			return false;
		}
		file.failedQuietly = this.#isQuiet();
		this.#depth++;
		file.isUpdating = main.isUpdating = true;
		const time = this.times.of(file);
		const isMissing = time === null;
		file.timeBefore ??= time;
		await this.#searchRule(file);
		let mustMake = isMissing;
		let failed = false;
		const all = [file, ...file.alsoMakes];
		for (const one of all) {
			const checked = await this.#checkPrerequisites(
				one,
				one === file ? time : this.times.of(one),
				mustMake || (one !== file && this.times.of(one) === null && !one.isIntermediate)
			);
			failed ||= checked.failed;
			mustMake = checked.mustMake;
			if (failed && !switches.keepsGoing) break;
		}
		if ((mustMake || switches.makesAlways) && !(failed && !switches.keepsGoing))
			for (const one of all) failed = (await this.#updateIntermediates(one)) || failed;
		file.isUpdating = main.isUpdating = false;
		this.#depth--;
		if (failed) return this.#giveUp(file);
		if (!this.#isDue(file, time, mustMake)) {
			await this.#recipes.finish(file, false);
			if (file.foundAt !== null) file.name = file.foundAt;
			return false;
		}
		if (file.foundAt !== null && file.foundAt !== file.name) {
			file.ignoresPaths = true;
			file.foundAt = null;
		}
		return this.#remake(file);
	}

	async #giveUp(file: TargetFile): Promise<boolean> {
		const { switches, name } = this.state;
		const isQuestion = file.prerequisites.some((one) => one.file.outcome === 'question');
		file.outcome =
			isQuestion && !file.prerequisites.some((one) => one.file.outcome === 'failed') ? 'question' : 'failed';
		await this.#recipes.finish(file, false);
		if (this.#depth === 0 && switches.keepsGoing && !switches.isDryRun && !switches.asksOnly)
			await this.state.machine.complain(`${name}: Target '${file.name}' not remade because of errors.\n`);
		return true;
	}

	/** Searches a recipe for a file without one, only once. */
	async #searchRule(file: TargetFile): Promise<void> {
		if (!file.isPhony && !file.recipe && !file.wasSearched) {
			await searchRules(this.state, this.times, file);
			file.wasSearched = true;
		}
		const { fallback } = this.special;
		if (!file.recipe && !file.isTarget && fallback) file.recipe = fallback.recipe;
	}

	/** Updates the prerequisites of a file, except intermediate ones, and checks whether the file is older. */
	async #checkPrerequisites(file: TargetFile, time: number | null, mustMakeBefore: boolean): Promise<Checked> {
		let failed = false;
		let mustMake = mustMakeBefore;
		for (const one of [...file.prerequisites]) {
			const before = this.#timeOf(one);
			if (one.file.isUpdating) {
				await this.#dropCircle(file, one);
				continue;
			}
			one.file.parent = file;
			const checked = await this.#check(one.file, time, mustMake);
			failed ||= checked.failed;
			if (!one.isOrderOnly) mustMake = checked.mustMake;
			if (failed && !this.state.switches.keepsGoing) break;
			one.changed = this.#hasChanged(one.file, before);
		}
		return { failed, mustMake };
	}

	/** Time of a prerequisite, which is replaced if it turns out to be another known file. */
	#timeOf(one: Prerequisite): number | null {
		const time = this.times.of(one.file);
		while (one.file.sameAs) one.file = one.file.sameAs;
		return time;
	}

	/** Tells whether an update has changed a file. @param before its previous time */
	#hasChanged(file: TargetFile, before: number | null): boolean {
		return (file.isPhony && file.recipe !== null) || this.times.of(file) !== before;
	}

	async #dropCircle(file: TargetFile, one: Prerequisite): Promise<void> {
		if (!one.isExtra)
			await this.state.machine.complain(
				`${this.state.name}: Circular ${file.name} <- ${one.file.name} dependency dropped.\n`
			);
		file.prerequisites = file.prerequisites.filter((other) => other !== one);
	}

	/** Updates a prerequisite; of an intermediate file, only its own prerequisites. */
	async #check(file: TargetFile, time: number | null, mustMakeBefore: boolean): Promise<Checked> {
		const isNewer = (own: number | null): boolean => own === null || (time !== null && own > time);
		if (file.isPhony || !file.isIntermediate) {
			const failed = await this.#update(file);
			return { failed, mustMake: mustMakeBefore || isNewer(this.times.of(file)) };
		}
		await this.#searchRule(file);
		const own = this.times.of(file);
		if (own !== null && isNewer(own)) return { failed: false, mustMake: true };
		file.isUpdating = true;
		const checked = await this.#checkPrerequisites(file, time, mustMakeBefore);
		file.isUpdating = false;
		return checked;
	}

	async #updateIntermediates(file: TargetFile): Promise<boolean> {
		let failed = false;
		for (const one of file.prerequisites) {
			const before = this.#timeOf(one);
			if (!one.file.isIntermediate || one.file.isUpdating) continue;
			one.file.parent = file;
			failed = (await this.#update(one.file)) || failed;
			if (failed && !this.state.switches.keepsGoing) break;
			one.changed = this.#hasChanged(one.file, before);
		}
		return failed;
	}

	/** Tells whether a file must be made, and marks its newer prerequisites as changed. */
	#isDue(file: TargetFile, time: number | null, mustMakeBefore: boolean): boolean {
		let mustMake = mustMakeBefore;
		let hasChanged = false;
		for (const one of [file, ...file.alsoMakes].flatMap(({ prerequisites }) => prerequisites)) {
			const own = this.times.of(one.file);
			if (!one.isOrderOnly) {
				if (own === null && !one.file.isIntermediate) mustMake = true;
				hasChanged ||= one.changed;
			}
			one.changed ||= this.state.switches.makesAlways || time === null || (own ?? NEWEST) > time;
		}
		if (file.isDoubleColon && file.prerequisites.length === 0) return true;
		if (time !== null && file.isTarget && !hasChanged && !file.recipe && !this.state.switches.makesAlways) return false;
		return mustMake || (file.recipe !== null && this.state.switches.makesAlways && !this.#goal?.makefile);
	}

	async #remake(file: TargetFile): Promise<boolean> {
		if (file.recipe) {
			await this.#recipes.run(file);
			return file.outcome !== 'success';
		}
		if (file.isPhony || file.isTarget) file.outcome = 'success';
		else {
			if (!this.#isQuiet()) await this.#complain(file);
			file.outcome = 'failed';
		}
		await this.#recipes.finish(file, false);
		return file.outcome === 'failed';
	}

	/** Tells whether an optional makefile is being made. */
	#isQuiet(): boolean {
		return this.#goal?.makefile?.isOptional === true;
	}

	async #complain(file: TargetFile): Promise<void> {
		const culprit = file.prerequisites.find((one) => one.file.isUpdated && one.file.failedQuietly);
		if (culprit && file.outcome === 'failed') return this.#complain(culprit.file);
		const { keepsGoing } = this.state.switches;
		const needer = file.parent ? `, needed by '${file.parent.name}'` : '';
		await this.#complainOfMakefile();
		await this.state.machine.complain(
			`${this.state.name}: *** No rule to make target '${file.name}'${needer}.${keepsGoing ? '' : '  Stop.'}\n`
		);
		file.failedQuietly = false;
		if (!keepsGoing) throw new MakeEnd(2);
	}

	/** Reports that the current makefile was not found, before another error. */
	async #complainOfMakefile(): Promise<void> {
		const makefile = this.#goal?.makefile;
		if (makefile) await sayMissing(this.state, makefile);
	}
}
