import { assign } from './assignment.ts';
import { parseVariableLine, type VariableLine } from './assignment-line.ts';
import { Conditions } from './conditions.ts';
import { readDefine } from './define.ts';
import { expand } from './expand.ts';
import { MakeFailure } from './failure.ts';
import { globbed } from './globbed.ts';
import { joined, logicalLines, withoutComment, type LogicalLine } from './logical-lines.ts';
import { fileNames, words } from './names.ts';
import { record, type WrittenRule } from './record.ts';
import { readRuleLine } from './rule-line.ts';
import { type MakeState, placeText } from './state.ts';

/** Maximum nesting depth of makefiles. */
const DEEPEST = 1000;

/** Reads a makefile, or the text of an `$(eval)`. */
export class Reader {
	readonly #conditions = new Conditions();
	/** Rule whose recipe is being read. */
	#rule: WrittenRule | null = null;
	/** Set after a rule without targets: its recipe is ignored. */
	#leavesOut = false;
	#inLeftOutDefine = false;

	/** @param choosesGoal whether its first target may be the default goal */
	constructor(
		private readonly state: MakeState,
		private readonly file: string,
		private readonly choosesGoal: boolean,
		/** Number of makefiles that include this one, nested. */
		private readonly depth = 0
	) {}

	/** @param firstLine number of the first line @throws MakeFailure */
	async read(source: string, firstLine = 1): Promise<void> {
		const before = this.state.place;
		const lines = logicalLines(source);
		for (let index = 0; index < lines.length; index++) {
			const line = lines[index];
			if (!line) continue;
			const at = firstLine === 1 ? line.number : firstLine;
			// Text of the command line is not in any file.
			this.state.place = this.file === '' ? null : { file: this.file, line: at };
			index = await this.#take(lines, index, { ...line, number: at });
		}
		await this.#finishRule();
		const end = firstLine === 1 ? (lines.at(-1)?.number ?? 0) + 1 : firstLine;
		if (this.state.place) this.state.place = { file: this.file, line: end };
		if (this.#conditions.isOpen) throw new MakeFailure("missing 'endif'", placeText(this.state.place));
		this.state.place = before;
	}

	/** Processes a line. @returns index of the last line processed with it */
	async #take(lines: LogicalLine[], index: number, line: LogicalLine): Promise<number> {
		const { state } = this;
		if (line.text.startsWith(state.prefix)) {
			if (this.#leavesOut) return index;
			if (this.#rule) {
				if (this.#conditions.isActive) this.#addRecipe(line);
				return index;
			}
		}
		const text = withoutComment(joined(line.text, state.isPosix)).trimStart();
		if (text === '') return index;
		const about = parseVariableLine(text, false);
		if (about) return this.#variable(about, lines, index);
		const [, word = '', rest = ''] = /^(\S+)[ \t]*([^]*)$/.exec(text) ?? [];
		if (this.#inLeftOutDefine) {
			if (word === 'endef') this.#inLeftOutDefine = false;
			return index;
		}
		if ((await this.#conditions.take(state, text)) || !this.#conditions.isActive) return index;
		if (await this.#directive(word, rest)) return index;
		if (line.text.startsWith(state.prefix))
			throw new MakeFailure('recipe commences before first target', placeText(state.place));
		await this.#startRule(line);
		return index;
	}

	#addRecipe(line: LogicalLine): void {
		if (!this.#rule) return;
		const { prefix } = this.state;
		// The prefix character is also removed from continuation lines.
		const text = line.text.slice(1).replaceAll(`\\\n${prefix}`, '\\\n');
		this.#rule.recipe ??= { lines: [], place: { file: this.file, line: line.number }, first: line.number };
		this.#rule.recipe.lines.push(text);
	}

	async #variable(about: VariableLine, lines: LogicalLine[], index: number): Promise<number> {
		const { state } = this;
		if (!this.#conditions.isActive || this.#inLeftOutDefine) {
			if (about.kind === 'define') this.#inLeftOutDefine = true;
			return index;
		}
		await this.#finishRule();
		const { modifiers } = about;
		const origin = modifiers.override ? 'override' : 'file';
		const setting = { scope: state.globals, origin } as const;
		if (about.kind === 'undefine') {
			const name = (await expand(state, state.readScope, about.rest)).trim();
			if (name === '') throw new MakeFailure('empty variable name', placeText(state.place));
			state.globals.undefine(name, origin);
			return index;
		}
		const read = about.kind === 'define' ? await readDefine(state, lines, index, about.rest) : null;
		const variable = read
			? await assign(state, setting, read.assignment)
			: about.kind === 'assignment'
				? await assign(state, setting, about.assignment)
				: undefined;
		if (variable && modifiers.export) variable.exported = 'yes';
		if (variable && modifiers.private) variable.isPrivate = true;
		return read?.last ?? index;
	}

	/** Handles a line that is neither a rule nor about a variable; returns false for any other. */
	async #directive(word: string, rest: string): Promise<boolean> {
		const { state } = this;
		if (word === 'export' || word === 'unexport') {
			await this.#finishRule();
			if (rest.trim() === '') state.exportsAll = word === 'export';
			for (const name of words(await expand(state, state.readScope, rest))) {
				const variable = state.globals.find(name) ?? state.globals.define(name, '', 'file');
				variable.exported = word === 'export' ? 'yes' : 'no';
			}
			return true;
		}
		if (word === 'vpath') {
			await this.#finishRule();
			const [, pattern = '', directories = ''] =
				/^(\S*)\s*([^]*)$/.exec((await expand(state, state.readScope, rest)).trim()) ?? [];
			state.paths.set(pattern, directories);
			return true;
		}
		if (word !== 'include' && word !== '-include' && word !== 'sinclude') return false;
		await this.#finishRule();
		const names = fileNames(await expand(state, state.readScope, rest)).flatMap((name) => globbed(state, name));
		for (const name of names) await this.#include(name, word !== 'include');
		return true;
	}

	async #include(name: string, isOptional: boolean): Promise<void> {
		const { state } = this;
		const { place } = state;
		const found = [
			name,
			...(name.startsWith('/') ? [] : state.switches.includes.map((directory) => `${directory}/${name}`))
		].find((path) => state.machine.isFile(path));
		state.makefiles.push({ name: found ?? name, isIncluded: true, isOptional, place, wasMissing: found === undefined });
		if (found === undefined) return;
		if (this.depth >= DEEPEST) throw new MakeFailure(`${found}: Too many open files`, placeText(place));
		await readMakefile(state, found, this.choosesGoal, this.depth + 1);
		state.place = place;
	}

	async #startRule(line: LogicalLine): Promise<void> {
		const { state } = this;
		await this.#finishRule();
		const read = await readRuleLine(state, line, { choosesGoal: this.choosesGoal });
		this.#leavesOut = read === 'no targets';
		if (read === 'no targets' || read === 'nothing') return;
		this.#rule = read;
	}

	/** Records the rule that was read last. */
	async #finishRule(): Promise<void> {
		const rule = this.#rule;
		this.#rule = null;
		if (!rule) return;
		const { place } = this.state;
		await record(this.state, rule);
		this.state.place = place;
	}
}

/** Reads an existing makefile. @throws MakeFailure */
export async function readMakefile(state: MakeState, name: string, choosesGoal: boolean, depth = 0): Promise<void> {
	const source = state.machine.read(name);
	if (source === null) return;
	const list = state.globals.own('MAKEFILE_LIST');
	state.globals.define('MAKEFILE_LIST', `${list?.value ? `${list.value} ` : ''}${name}`, 'file');
	await new Reader(state, name, choosesGoal, depth).read(source);
}
