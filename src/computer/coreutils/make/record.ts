import { MakeFailure } from './failure.ts';
import { type Prerequisite, type Recipe, TargetFile } from './files.ts';
import { patternOf, stemOf } from './names.ts';
import { addPatternRule, patternTarget } from './pattern-rules.ts';
import { filled, names, prerequisitesOf } from './prerequisites.ts';
import { type MakeState, type Place, placeText } from './state.ts';

/** A rule as written, with its recipe. */
export interface WrittenRule {
	targets: string[];
	/** Pattern of a static pattern rule. */
	pattern: string | null;
	/** Text of the prerequisites. */
	needs: string;
	recipe: Recipe | null;
	isDoubleColon: boolean;
	/** Set by `&:`: one run of the recipe makes all targets. */
	isGrouped: boolean;
	place: Place;
}

/** Adds a rule to the files and pattern rules. @throws MakeFailure */
export async function record(state: MakeState, rule: WrittenRule): Promise<void> {
	if (state.isSettled) throw new MakeFailure('prerequisites cannot be defined in recipes', placeText(state.place));
	state.place = rule.place;
	const isImplicit = rule.targets.map((name) => patternOf(name).end !== null);
	if (isImplicit.includes(true)) {
		const kind = rule.pattern === null ? 'normal' : 'static pattern';
		if (rule.pattern !== null || isImplicit.includes(false))
			throw new MakeFailure(`mixed implicit and ${kind} rules`, placeText(rule.place));
		return recordPattern(state, rule);
	}
	if (rule.isGrouped && !rule.recipe)
		throw new MakeFailure('grouped targets must provide a recipe', placeText(rule.place));
	const files: TargetFile[] = [];
	for (const target of rule.targets) {
		special(state, target);
		const file = await recordTarget(state, rule, target);
		if (file) files.push(file);
	}
	if (rule.isGrouped)
		for (const file of files)
			file.alsoMakes.push(...files.filter((other) => other !== file && !file.alsoMakes.includes(other)));
}

function recordPattern(state: MakeState, { targets, needs, recipe, isDoubleColon }: WrittenRule): void {
	const isLater = state.expandsTwice && needs.includes('$');
	addPatternRule(state.rules, {
		targets: targets.map(patternTarget),
		prerequisites: isLater ? [] : names(state, needs),
		later: isLater ? needs : null,
		...{ recipe, isTerminal: isDoubleColon, isInUse: false }
	});
}

/** Processes special targets that take effect as soon as they are read. */
function special(state: MakeState, target: string): void {
	if (target === '.POSIX') {
		state.isPosix = true;
		state.globals.define('.SHELLFLAGS', '-ec', 'default');
	} else if (target === '.SECONDEXPANSION') state.expandsTwice = true;
	else if (target === '.ONESHELL') state.isOneShell = true;
}

async function recordTarget(state: MakeState, rule: WrittenRule, target: string): Promise<TargetFile | null> {
	const { pattern, needs, recipe } = rule;
	let stem: string | null = null;
	if (pattern !== null) {
		stem = stemOf(patternOf(pattern), target);
		if (stem === null) {
			await state.warn(`target '${target}' doesn't match the target pattern`, rule.place);
			return null;
		}
	}
	const known = state.files.enter(target);
	if (known.isTarget && known.isDoubleColon !== rule.isDoubleColon)
		throw new MakeFailure(`target file '${target}' has both : and :: entries`, placeText(rule.place));
	const file = rule.isDoubleColon ? anotherRule(known) : known;
	if (!rule.isDoubleColon && recipe && file.recipe && file.isTarget) await warnOfOverride(state, target, recipe, file);
	if (target === '.DEFAULT' && !recipe && needs === '') file.recipe = null;
	if (target === '.SUFFIXES' && needs === '') file.prerequisites = [];
	file.isTarget = file.isMentioned = known.isMentioned = true;
	if (stem !== null) file.stem = stem;
	const isLater = state.expandsTwice && needs.includes('$');
	if (isLater) file.later.push({ at: file.prerequisites.length, text: { text: needs, stem } });
	else {
		const written = names(state, needs).map((one) => (stem === null ? one : { ...one, name: filled(one.name, stem) }));
		addPrerequisites(file, prerequisitesOf(state, written), recipe !== null && !rule.isDoubleColon);
	}
	if (recipe) file.recipe = recipe;
	return file;
}

/** Adds prerequisites: those of a rule with a recipe come before those of other rules. */
function addPrerequisites(file: TargetFile, added: Prerequisite[], hasRecipe: boolean): void {
	if (hasRecipe) {
		file.prerequisites.unshift(...added);
		for (const later of file.later) later.at += added.length;
	} else file.prerequisites.push(...added);
}

/** Creates an entry for another `::` rule. */
function anotherRule(known: TargetFile): TargetFile {
	if (!known.isTarget) {
		known.isDoubleColon = true;
		return known;
	}
	const file = new TargetFile(known.name);
	file.isDoubleColon = true;
	file.scope = known.scope;
	known.others.push(file);
	return file;
}

async function warnOfOverride(state: MakeState, target: string, recipe: Recipe, file: TargetFile): Promise<void> {
	if (file.recipe === recipe) return;
	await state.warn(`warning: overriding recipe for target '${target}'`, recipe.place);
	await state.warn(`warning: ignoring old recipe for target '${target}'`, file.recipe?.place);
}
