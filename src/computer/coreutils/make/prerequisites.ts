import { automaticScope } from './automatic.ts';
import { expand, valueOf } from './expand.ts';
import type { Prerequisite, TargetFile } from './files.ts';
import { fileNames, findUnquoted, patternOf, withStem } from './names.ts';
import type { PatternPrerequisite } from './pattern-rules.ts';
import { globbed } from './globbed.ts';
import type { MakeState } from './state.ts';

/** Parses `normal | order-only`, with wildcards expanded. */
export function names(state: MakeState, text: string): PatternPrerequisite[] {
	const { before, after } = findUnquoted(text, '|', false);
	const listed = (part: string, isOrderOnly: boolean) =>
		fileNames(part)
			.flatMap((name) => (name.includes('%') ? [name] : globbed(state, name)))
			.map((name) => ({ name, isOrderOnly }));
	return [...listed(before, false), ...listed(after, true)];
}

/** Replaces the first `%` of a name with the stem. */
export const filled = (name: string, stem: string): string => withStem(patternOf(name), stem);

/** Adds the prerequisites of a rule to the known files. */
export function prerequisitesOf(state: MakeState, written: readonly PatternPrerequisite[]): Prerequisite[] {
	return written.map(({ name, isOrderOnly }) => {
		const file = state.files.enter(name);
		file.isMentioned = true;
		return { file, isOrderOnly, changed: false };
	});
}

/** Splits a text into words at blanks outside of references. */
export function writtenWords(text: string): string[] {
	const result: string[] = [];
	let rest = text.trimStart();
	while (rest !== '') {
		const { before, after } = findUnquoted(rest, ' \t\n');
		result.push(rest.slice(0, before.length) === before ? before : rest.slice(0, rest.length - after.length).trimEnd());
		rest = after.trimStart();
	}
	return result;
}

/** Replaces the first `%` of each word with `$*`. */
export const withStemVariable = (text: string): string =>
	writtenWords(text)
		.map((word) => word.replace('%', '$*'))
		.join(' ');

/** Performs the second expansion requested by `.SECONDEXPANSION`. @throws MakeFailure */
export async function expandLater(state: MakeState, file: TargetFile): Promise<void> {
	const later = file.later;
	file.later = [];
	let shift = 0;
	for (const { at, text } of later) {
		const source = text.stem === null ? text.text : withStemVariable(text.text);
		const seen = { prerequisites: file.prerequisites.slice(0, at + shift), stem: text.stem ?? file.stem };
		const scope = await automaticScope(state, file, seen);
		const expanded = await expand(state, scope, source);
		const added = prerequisitesOf(state, names(state, expanded));
		file.prerequisites.splice(at + shift, 0, ...added);
		shift += added.length;
	}
	for (const other of file.others) await expandLater(state, other);
}

/** Adds the files of `.EXTRA_PREREQS`, of the target or of all targets. @throws MakeFailure */
export async function addExtras(state: MakeState, file: TargetFile): Promise<void> {
	if (!(file.scope ?? state.globals).find(EXTRA)) return;
	const scope = await automaticScope(state, file);
	const listed = names(state, await valueOf(state, scope, EXTRA));
	const known = file.prerequisites.filter(({ isExtra }) => isExtra).map((one) => one.file.name);
	// A listed file does not depend on the others, which would depend on it in turn.
	if (listed.some(({ name }) => name === file.name || known.includes(name))) return;
	const added = prerequisitesOf(state, listed);
	for (const rule of [file, ...file.others])
		rule.prerequisites.push(...added.map((one) => ({ ...one, isExtra: true })));
}

const EXTRA = '.EXTRA_PREREQS';
