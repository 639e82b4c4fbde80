import { automaticScope } from './automatic.ts';
import { expand } from './expand.ts';
import { type Prerequisite, TargetFile } from './files.ts';
import { patternOf, stemOf, withStem } from './names.ts';
import type { PatternPrerequisite, PatternRule } from './pattern-rules.ts';
import { addExtras, filled, names, writtenWords } from './prerequisites.ts';
import { globbed } from './globbed.ts';
import type { MakeState } from './state.ts';

/** Pattern rule that matches a file. */
interface Fitting {
	rule: PatternRule;
	/** Index of the matching target. */
	at: number;
	stem: string;
	/** Directory of the file, if the pattern does not include it. */
	directory: string;
}

interface Needed extends PatternPrerequisite {
	/** File with the recipe that makes it, if it does not exist. */
	made: TargetFile | null;
}

/** Finds files, including those in search directories. */
export interface Finder {
	exists(name: string): boolean;
	/** Names that no chain of rules can make. */
	readonly impossible: Set<string>;
}

/**
 * Searches the pattern rules, including chains, for a recipe for a file, and assigns it to the file.
 * @param depth length of the chain
 * @returns false if none matches
 */
export async function searchRules(state: MakeState, finder: Finder, file: TargetFile, depth = 0): Promise<boolean> {
	const fitting = fittingRules(state.rules, file.name, depth);
	// Rules whose prerequisites would have to be made by other pattern rules come second.
	for (const chains of [false, true])
		for (const one of fitting) {
			if (chains && one.rule.isTerminal) continue;
			one.rule.isInUse = true;
			const needed = await madeOf(state, finder, file, one, chains, depth).finally(() => (one.rule.isInUse = false));
			if (!needed) continue;
			await take(state, file, one, needed);
			return true;
		}
	return false;
}

/** Rules that match a name, shortest stem first. */
function fittingRules(rules: readonly PatternRule[], name: string, depth: number): Fitting[] {
	const fitting: Fitting[] = [];
	let isSpecific = false;
	const slash = name.lastIndexOf('/') + 1;
	for (const rule of rules) {
		if ((rule.prerequisites.length > 0 || rule.later !== null) && !rule.recipe) continue;
		if (rule.isInUse) continue;
		for (const [at, { text, pattern }] of rule.targets.entries()) {
			if (depth > 0 && text === '%' && !rule.isTerminal) continue;
			const directory = text.includes('/') ? '' : name.slice(0, slash);
			const stem = stemOf(pattern, name.slice(directory.length));
			if (stem === null || stem === '') continue;
			if (text !== '%') isSpecific = true;
			if (rule.prerequisites.length > 0 || rule.later !== null || rule.recipe)
				fitting.push({ rule, at, stem, directory });
		}
	}
	const left = fitting.filter(
		({ rule }) => !isSpecific || rule.isTerminal || !rule.targets.some(({ text }) => text === '%')
	);
	return left.sort((a, b) => a.stem.length - b.stem.length);
}

/** Prerequisites of a file in this rule; `null` if one does not exist and cannot be made. */
async function madeOf(
	state: MakeState,
	finder: Finder,
	file: TargetFile,
	fitting: Fitting,
	chains: boolean,
	depth: number
): Promise<Needed[] | null> {
	const needed: Needed[] = [];
	for (const one of await neededNames(state, file, fitting)) {
		const isThere =
			file.prerequisites.some((own) => own.file.name === one.name) ||
			state.files.find(one.name)?.isMentioned === true ||
			finder.exists(one.name);
		if (isThere) {
			needed.push({ ...one, made: null });
			continue;
		}
		if (!chains || finder.impossible.has(one.name)) return null;
		const made = new TargetFile(one.name);
		made.parent = file;
		if (!(await searchRules(state, finder, made, depth + 1))) {
			finder.impossible.add(one.name);
			return null;
		}
		needed.push({ ...one, made });
	}
	return needed;
}

async function neededNames(
	state: MakeState,
	file: TargetFile,
	{ rule, stem, directory }: Fitting
): Promise<PatternPrerequisite[]> {
	if (rule.later === null)
		return rule.prerequisites.flatMap(({ name, isOrderOnly }) => {
			const own = patternOf(name).end === null ? filled(name, stem) : directory + filled(name, stem);
			return globbed(state, own).map((one) => ({ name: one, isOrderOnly }));
		});
	const scope = await automaticScope(state, file, { stem: directory + stem });
	const found: PatternPrerequisite[] = [];
	let isOrderOnly = false;
	for (const word of writtenWords(rule.later)) {
		const text = word.replace('%', directory === '' ? '$*' : '$(*F)');
		for (const part of (await expand(state, scope, text)).split(/(\|)/)) {
			if (part === '|') isOrderOnly = true;
			else
				for (const { name } of names(state, part))
					found.push({ name: (word.includes('%') ? directory : '') + name, isOrderOnly });
		}
	}
	return found;
}

/** Assigns the recipe of a rule to a file, and registers intermediate files. */
async function take(
	state: MakeState,
	file: TargetFile,
	{ rule, at, stem, directory }: Fitting,
	needed: readonly Needed[]
): Promise<void> {
	const added = needed.map(({ name, isOrderOnly, made }): Prerequisite => {
		const own = state.files.enter(name);
		if (made) {
			Object.assign(own, { recipe: made.recipe, prerequisites: made.prerequisites, stem: made.stem, isTarget: true });
			Object.assign(own, { wasSearched: true, isIntermediate: true });
			own.alsoMakes.push(...made.alsoMakes);
		}
		return { file: own, isOrderOnly, changed: false };
	});
	file.prerequisites.unshift(...added);
	file.recipe = rule.recipe;
	file.stem = directory + stem;
	file.isTarget = true;
	await addExtras(state, file);
	for (const [index, { pattern }] of rule.targets.entries()) {
		if (index === at) continue;
		const other = state.files.enter(directory + withStem(pattern, stem));
		if (other === file || file.alsoMakes.includes(other)) continue;
		other.isTarget = true;
		file.alsoMakes.push(other);
	}
}
