import { Conditions } from './conditions.ts';
import { expand } from './expand.ts';
import type { Expansion } from './expansion.ts';
import { MakeFailure } from './failure.ts';
import { assignment, logicalLines, withoutComment, type MakefileLine } from './lines.ts';
import { replacePattern, splitOutside, stemOf, words } from './names.ts';
import type { RecipeLine, Rules } from './rules.ts';
import { assign } from './assign.ts';

/** Input and output of reading a makefile. */
export interface Reading {
	scope: Expansion;
	rules: Rules;
	/** The text of a makefile to include; null when it is not there. */
	load(name: string): string | null;
	/** Current position of the reader, for `place()`. */
	at: { file: string; line: number };
}

/** Reads a makefile: variables, rules, conditions, includes. @throws MakeFailure */
export async function readMakefile(reading: Reading, file: string, source: string): Promise<void> {
	const before = { ...reading.at };
	reading.at.file = file;
	const conditions = new Conditions();
	const lines = logicalLines(source);
	let recipe: RecipeLine[] | null = null;
	for (let index = 0; index < lines.length; index++) {
		const line = lines[index] ?? { text: '', number: 0, isRecipe: false };
		reading.at.line = line.number;
		if (line.isRecipe && recipe) {
			if (conditions.isActive) recipe.push({ text: line.text.slice(1), place: `${file}:${line.number}` });
			continue;
		}
		const text = withoutComment(line.text).trim();
		if (text === '' || (await conditions.take(reading.scope, text)) || !conditions.isActive) continue;
		if (/^(override\s+|export\s+)?define\b/.test(text)) index = await readDefine(reading, lines, index, text);
		else if (await directive(reading, text)) recipe = null;
		else recipe = await readRule(reading, line, text);
	}
	if (conditions.isOpen) throw new MakeFailure("missing 'endif'.  Stop.", reading.scope.place());
	Object.assign(reading.at, before);
}

/** Takes the lines up to `endef`; gives the index of that. */
async function readDefine(reading: Reading, lines: MakefileLine[], start: number, text: string): Promise<number> {
	const [, name = '', operator = '='] = /define\s+(.*?)\s*([:?+]?=)?$/.exec(text) ?? [];
	const body: string[] = [];
	for (let index = start + 1; index < lines.length; index++) {
		const line = lines[index]?.text ?? '';
		if (/^\s*endef\b/.test(line)) {
			await assign(reading.scope, { name, operator, value: body.join('\n') }, 'file');
			return index;
		}
		body.push(line);
	}
	throw new MakeFailure("missing 'endef', unterminated 'define'.  Stop.", reading.scope.place());
}

/** A line that is no rule: an assignment, an include, an export. */
async function directive(reading: Reading, text: string): Promise<boolean> {
	const { scope } = reading;
	const [, optional, names] = /^(-|s)?include\s+(.*)$/.exec(text) ?? [];
	if (names !== undefined) {
		for (const name of words(await expand(scope, names))) {
			const source = reading.load(name);
			if (source !== null) await readMakefile(reading, name, source);
			else if (optional === undefined) {
				await scope.warn(`${scope.place()}${name}: No such file or directory\n`);
				throw new MakeFailure(`No rule to make target '${name}'.  Stop.`);
			}
		}
		return true;
	}
	const [, word = '', rest = text] = /^(override|export|unexport|private|undefine|vpath)\b\s*(.*)$/s.exec(text) ?? [];
	const set = assignment(rest);
	if (set && word !== 'undefine') {
		const name = await expand(scope, set.name);
		await assign(scope, { ...set, name }, word === 'override' ? 'override' : 'file');
		if (word === 'export' || word === 'unexport') scope.variables.exported.set(name, word === 'export');
		return true;
	}
	if (word === 'export' || word === 'unexport') {
		const listed = words(await expand(scope, rest));
		if (listed.length === 0) scope.variables.exportsAll = word === 'export';
		for (const name of listed) scope.variables.exported.set(name, word === 'export');
	} else if (word === 'undefine') scope.variables.unset(await expand(scope, rest));
	else if (word === '') return false;
	return true;
}

/** `targets: prerequisites | order-only ; recipe`. Gives where the lines of its recipe go. */
async function readRule(reading: Reading, line: MakefileLine, text: string): Promise<RecipeLine[] | null> {
	const { scope, rules } = reading;
	const [head = '', inline] = splitOutside(text, ';', 2);
	const expanded = await expand(scope, head);
	if (expanded.trim() === '') return null;
	const [, left = '', right = ''] = /^(.*?)::?(?![=\\/])(.*)$/s.exec(expanded) ?? [];
	if (left === '') {
		const hint = line.text.startsWith('        ') ? ' (did you mean TAB instead of 8 spaces?)' : '';
		throw new MakeFailure(
			line.isRecipe ? 'recipe commences before first target.  Stop.' : `missing separator${hint}.  Stop.`,
			scope.place()
		);
	}
	const targets = words(left);
	const own = assignment(right.trim());
	if (own) {
		// As it is written, not as it was expanded: it is expanded when the target is made.
		const written = assignment((splitOutside(text, ':', 2)[1] ?? '').trim()) ?? own;
		for (const target of targets) rules.assignments.set(target, [...(rules.assignments.get(target) ?? []), written]);
		return null;
	}
	const recipe: RecipeLine[] =
		inline === undefined ? [] : [{ text: inline.trim(), place: `${reading.at.file}:${line.number}` }];
	const [names = '', pattern] = right.includes(':') ? [right.split(':')[1], right.split(':')[0]] : [right];
	const [normal = '', order = ''] = names.split('|');
	const prerequisites = words(normal).flatMap((name) => globbed(scope, name));
	const orderOnly = words(order);
	if (targets.some((target) => target.includes('%')) && pattern === undefined) {
		rules.addPattern({ targets, prerequisites, orderOnly, recipe });
		return recipe;
	}
	for (const target of targets.flatMap((name) => globbed(scope, name))) {
		const shape = pattern?.trim() ?? '';
		const fill = (name: string) => (pattern === undefined ? name : replacePattern(shape, name, target));
		const rule = {
			prerequisites: prerequisites.map(fill),
			orderOnly: orderOnly.map(fill),
			recipe,
			stem: pattern === undefined ? '' : (stemOf(shape, target) ?? '')
		};
		rules.add(target, rule);
	}
	return recipe;
}

const globbed = (scope: Expansion, name: string): string[] => {
	if (!/[*?[]/.test(name) || name.includes('%')) return [name];
	const found = scope.glob(name);
	return found.length > 0 ? found : [name];
};
