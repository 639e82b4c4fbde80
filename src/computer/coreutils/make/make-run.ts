import { define } from './assignment.ts';
import { parseAssignment } from './assignment-line.ts';
import { addDefaultRules } from './default-rules.ts';
import { expand, valueOf } from './expand.ts';
import { MakeEnd, MakeFailure } from './failure.ts';
import { Files, type TargetFile } from './files.ts';
import { setFirstVariables } from './first-variables.ts';
import { withoutDot, words } from './names.ts';
import { convertSuffixRules } from './suffix-rules.ts';
import { PatternVariables } from './pattern-variables.ts';
import { Reader, readMakefile } from './reader.ts';
import { parts, SearchPaths } from './search-paths.ts';
import { settle } from './special-targets.ts';
import { type Machine, type MakeState, type Place, placeText, sayMissing, type WantedMakefile } from './state.ts';
import { apply, applyFlags, flagsText, noSwitches } from './switches.ts';
import { NEWEST, OLDEST } from './times.ts';
import { Update } from './update.ts';
import { Scope } from './variables.ts';
import type { Options } from '../options.ts';

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
const FAILED = 2;
/** Maximum number of times that makefiles are read again because they were remade. */
const MOST_RESTARTS = 100;

interface Start {
	level: number;
	name: string;
	options: Options;
}

/** Run of make, including repeated reading of makefiles. */
export class MakeRun {
	#hasEntered = false;
	/** Set if a makefile could not be remade. */
	#hasFailed = false;
	#saysDirectory = false;
	/** Text of `-f -`, which can only be read once. */
	#input: string | null = null;

	constructor(
		private readonly machine: Machine,
		private readonly start: Start
	) {}

	/** @throws MakeEnd, MakeFailure @returns the exit code */
	async run(): Promise<number> {
		const before = Number.parseInt(this.machine.environment('MAKE_RESTARTS') ?? '', 10) || 0;
		// The previous run has already announced the directory.
		if (before < 0) this.#hasEntered = true;
		for (let restarts = 0; restarts < MOST_RESTARTS; restarts++) {
			const code = await this.#once(Math.abs(before) + restarts);
			if (code !== 'again') return code;
		}
		throw new MakeFailure('The makefiles change each time they are remade');
	}

	/** Prints why make stops. */
	async fail({ message, place }: MakeFailure): Promise<void> {
		await this.machine.complain(`${place === '' ? this.start.name : place}: *** ${message}.  Stop.\n`);
	}

	/** Announces that the directory is left, if entering was announced. */
	async leave(): Promise<void> {
		if (this.#hasEntered)
			await this.machine.out(`${this.start.name}: Leaving directory '${this.machine.absolute('.')}'\n`);
	}

	async #say(text: string): Promise<void> {
		if (this.#saysDirectory && !this.#hasEntered) {
			this.#hasEntered = true;
			await this.machine.out(`${this.start.name}: Entering directory '${this.machine.absolute('.')}'\n`);
		}
		if (text !== '') await this.machine.out(text);
	}

	/** Reads the makefiles and makes the goals, once. */
	async #once(restarts: number): Promise<number | 'again'> {
		const state = this.#newState();
		setFirstVariables(state, restarts);
		const goals = await this.#takeWords(state);
		const read = await this.#readAll(state);
		await this.#takeFlags(state);
		const special = await settle(state);
		addDefaultRules(state);
		await convertSuffixRules(state);
		const listed = async (name: string) =>
			parts(state.globals.find(name) ? await valueOf(state, state.globals, name) : '');
		state.paths.general = await listed('VPATH');
		state.paths.kept = await listed('GPATH');
		state.place = null;
		this.#assumeOld(state);
		if (restarts === 0) this.#assumeNew(state);
		const update = new Update(state, special);
		if (await this.#remakeMakefiles(state, update)) return 'again';
		this.#assumeNew(state);
		const wanted = await this.#goals(state, goals, read);
		return this.#make(update, wanted);
	}

	async #make(update: Update, wanted: TargetFile[]): Promise<number> {
		try {
			const outcome = await update.goals(wanted.map((file) => ({ file, makefile: null })));
			return outcome === 'failed' || this.#hasFailed ? FAILED : outcome === 'question' ? 1 : 0;
		} finally {
			await update.removeIntermediates();
		}
	}

	#newState(): MakeState {
		const { machine } = this;
		const { level, name, options } = this.start;
		const switches = noSwitches();
		for (const variable of ['GNUMAKEFLAGS', 'MAKEFLAGS']) applyFlags(switches, machine.environment(variable) ?? '');
		apply(switches, options);
		const globals = new Scope();
		const state: MakeState = {
			...{ machine, switches, name, level, globals, readScope: globals, files: new Files(), rules: [] },
			...{
				patternVariables: new PatternVariables(),
				paths: new SearchPaths(),
				prefix: '\t',
				place: null,
				definition: null,
				isSettled: false,
				makefiles: []
			},
			...{ exportsAll: false, isOneShell: false, expandsTwice: false, isPosix: false },
			evaluate: (text) => this.#evaluate(state, text),
			say: (text) => this.#say(text),
			warn: async (text: string, place?: Place | null) => {
				await this.#say('');
				await machine.complain(`${place ? placeText(place) : name}: ${text}\n`);
			}
		};
		this.#saysDirectory =
			switches.saysDirectory ?? (!switches.isSilent && (switches.directories.length > 0 || level > 0));
		return state;
	}

	async #evaluate(state: MakeState, text: string): Promise<void> {
		const { place } = state;
		await new Reader(state, place?.file ?? '', true).read(text, place?.line ?? 1);
		state.place = place;
	}

	/** Processes the words of the command line. @returns the goals */
	async #takeWords(state: MakeState): Promise<string[]> {
		const { globals, machine } = state;
		const inherited = ['GNUMAKEFLAGS', 'MAKEFLAGS'].flatMap((name) =>
			applyFlags(noSwitches(), machine.environment(name) ?? '')
		);
		const goals: string[] = [];
		const overrides = new Map<string, string>();
		for (const word of [...inherited, ...this.start.options.operands]) {
			const assignment = parseAssignment(word);
			if (!assignment) {
				goals.push(word);
				continue;
			}
			const { name, operator, value } = assignment;
			const variable = await define(state, { scope: globals, origin: 'command line' }, assignment);
			if (variable) variable.exported = 'default';
			// The last one takes precedence.
			overrides.delete(name);
			overrides.set(name, quotedForFlags(`${name}${operator}${value}`));
		}
		globals.define('MAKEOVERRIDES', [...overrides.values()].reverse().join(' '), 'environment', true);
		globals.define('MAKECMDGOALS', goals.join(' '), 'default');
		this.#setFlags(state);
		return goals;
	}

	#setFlags(state: MakeState): void {
		const flags = flagsText(state.switches);
		const variable = state.globals.define(
			'MAKEFLAGS',
			`${flags}$(if $(MAKEOVERRIDES), -- $(MAKEOVERRIDES))`,
			'file',
			true
		);
		variable.exported = 'yes';
		state.globals.define(
			'MFLAGS',
			flags === '' ? '' : flags.startsWith(' ') ? flags.trim() : `-${flags}`,
			'environment',
			true
		);
	}

	/** Applies flags that a makefile has added to `MAKEFLAGS` to this run. */
	async #takeFlags(state: MakeState): Promise<void> {
		for (const name of ['MAKEFLAGS', 'GNUMAKEFLAGS'])
			applyFlags(state.switches, await valueOf(state, state.globals, name));
	}

	/** Reads all makefiles. @returns whether there is one @throws MakeFailure */
	async #readAll(state: MakeState): Promise<boolean> {
		const { machine, switches, globals } = state;
		for (const text of switches.texts) await new Reader(state, '', false).read(text);
		for (const name of words(globals.find('MAKEFILES')?.value ?? '')) {
			state.makefiles.push({
				name,
				isIncluded: true,
				isOptional: true,
				place: null,
				wasMissing: !machine.isFile(name)
			});
			await readMakefile(state, name, false);
		}
		const found = MAKEFILES.filter((name) => machine.isFile(name)).slice(0, 1);
		const given = switches.makefiles.length > 0 ? switches.makefiles : found;
		for (const name of given) {
			if (name === '-') {
				this.#input ??= await machine.input();
				globals.define('MAKEFILE_LIST', '-', 'file');
				await new Reader(state, '-', true).read(this.#input);
				continue;
			}
			const isMissing = !machine.isFile(name);
			if (isMissing) await state.warn(`${name}: No such file or directory`);
			state.makefiles.push({ name, isIncluded: false, isOptional: false, place: null, wasMissing: isMissing });
			await readMakefile(state, name, true);
		}
		if (given.length === 0)
			for (const name of MAKEFILES)
				state.makefiles.push({ name, isIncluded: false, isOptional: true, place: null, wasMissing: true });
		return given.length > 0;
	}

	#assumeOld({ files, switches }: MakeState): void {
		for (const name of switches.oldFiles)
			Object.assign(files.enter(withoutDot(name)), { time: OLDEST, isUpdated: true, outcome: 'success' });
	}

	/** After a restart, makefiles that depend on a file of `-W` would be remade endlessly. */
	#assumeNew({ files, switches }: MakeState): void {
		for (const name of switches.newFiles) files.enter(withoutDot(name)).time = NEWEST;
	}

	/** Updates the makefiles. @returns true if they have changed and are read again @throws MakeEnd */
	async #remakeMakefiles(state: MakeState, update: Update): Promise<boolean> {
		const { files, machine, switches } = state;
		const goals = state.makefiles
			.map((makefile: WantedMakefile) => ({ file: files.enter(makefile.name), makefile }))
			.filter(
				({ file }) =>
					![file, ...file.others].some((one) => one.isDoubleColon && one.recipe && one.prerequisites.length === 0) &&
					!file.isPhony
			)
			.reverse();
		if (goals.length === 0) return false;
		const asked = { isDryRun: switches.isDryRun, asksOnly: switches.asksOnly, touches: switches.touches };
		const before = goals.map(({ file }) => machine.modified(file.name));
		const isAsked = (name: string) => this.start.options.operands.includes(name);
		if (!goals.some(({ file }) => isAsked(file.name)))
			Object.assign(switches, { isDryRun: false, asksOnly: false, touches: false });
		try {
			await update.goals(goals);
		} finally {
			Object.assign(switches, asked);
		}
		const hasChanged = goals.some(({ file }, index) => machine.modified(file.name) !== before[index]);
		if (hasChanged) return true;
		await this.#complainOfMissing(state, goals);
		return false;
	}

	async #complainOfMissing(
		state: MakeState,
		goals: readonly { file: TargetFile; makefile: WantedMakefile }[]
	): Promise<void> {
		let hasFailed = false;
		for (const { file, makefile } of goals) {
			if (makefile.isOptional || file.outcome !== 'failed') continue;
			await sayMissing(state, makefile);
			await state.warn(`Failed to remake makefile '${file.name}'.`);
			hasFailed = true;
		}
		if (hasFailed && !state.switches.keepsGoing) throw new MakeEnd(FAILED);
		this.#hasFailed = hasFailed;
	}

	/** Files to make. @throws MakeFailure if there are none */
	async #goals(state: MakeState, goals: readonly string[], hasMakefile: boolean): Promise<TargetFile[]> {
		const names = [...goals];
		if (names.length === 0) {
			const written = (await expand(state, state.globals, '$(.DEFAULT_GOAL)')).trim();
			const chosen = state.files.find(written) ? [written] : words(written);
			if (chosen.length > 1) throw new MakeFailure('.DEFAULT_GOAL contains more than one target');
			names.push(...chosen);
		}
		if (names.length === 0)
			throw new MakeFailure(hasMakefile ? 'No targets' : 'No targets specified and no makefile found');
		return names.map((name) => Object.assign(state.files.enter(withoutDot(name)), { isGoal: true }));
	}
}

/** Quotes a word for `MAKEFLAGS`: a backslash before blanks, and `$` doubled. */
const quotedForFlags = (word: string): string => word.replace(/[\s\\]/g, '\\$&').replaceAll('$', '$$$$');
