import { parseVariableLine } from './assignment-line.ts';
import { expand } from './expand.ts';
import { MakeFailure } from './failure.ts';
import { joined, type LogicalLine } from './logical-lines.ts';
import { closing, fileNames, findUnquoted, patternOf } from './names.ts';
import { suffixesOf } from './suffix-rules.ts';
import { globbed } from './globbed.ts';
import type { WrittenRule } from './record.ts';
import { type MakeState, placeText } from './state.ts';
import { setForTargets } from './target-variables.ts';

interface Head {
	/** Targets, expanded, up to the colon. */
	targets: string;
	isDoubleColon: boolean;
	isGrouped: boolean;
	/** Text after the colon, split into the expanded part and the rest. */
	expanded: string;
	rest: string;
	/** First line of the recipe, after `;`. */
	command: string | null;
}

/** Parses `targets: prerequisites | order-only ; recipe` or `targets: NAME = value`. @throws MakeFailure */
export async function readRuleLine(
	state: MakeState,
	line: LogicalLine,
	{ choosesGoal }: { choosesGoal: boolean }
): Promise<WrittenRule | 'nothing' | 'no targets'> {
	const place = state.place ?? { file: '', line: 0 };
	const cut = findUnquoted(line.text, ';#');
	// The prefix character of continuation lines is not part of the recipe.
	const semicolon = cut.found === ';' ? cut.after.replaceAll(`\\\n${state.prefix}`, '\\\n') : null;
	const head = await readHead(state, joined(cut.before, state.isPosix), semicolon);
	if (head === 'nothing' || head === 'no targets') return head;
	const targets = fileNames(head.targets).flatMap((name) => globbed(state, name));
	if (targets.length === 0) return 'no targets';
	const about = parseVariableLine(head.expanded + head.rest, true);
	if (about?.kind === 'assignment') {
		const tail = semicolon === null ? '' : `;${joined(semicolon)}`;
		const assignment = { ...about.assignment, value: about.assignment.value + tail };
		await setForTargets(state, targets, about.modifiers, assignment);
		return 'nothing';
	}
	let needs = head.expanded + (await expand(state, state.readScope, head.rest));
	let { command } = head;
	if (command === null) {
		const found = findUnquoted(needs, ';', false);
		if (found.found !== '') [needs, command] = [found.before, found.after];
	}
	const colon = findUnquoted(needs, ':');
	let pattern: string | null = null;
	if (colon.found !== '') {
		pattern = patternOfTargets(state, colon.before);
		needs = colon.after;
	} else needs = needs.replace(/(\\+):/g, (_all, slashes: string) => `${slashes.slice(0, slashes.length >> 1)}:`);
	if (choosesGoal) chooseGoal(state, targets);
	const recipe = command === null ? null : { lines: [command], place, first: place.line };
	return {
		...{ targets, pattern, needs: needs.trim(), recipe },
		...{ isDoubleColon: head.isDoubleColon, isGrouped: head.isGrouped, place }
	};
}

function patternOfTargets(state: MakeState, text: string): string {
	const [pattern, ...more] = fileNames(text);
	if (pattern === undefined) throw new MakeFailure('missing target pattern', placeText(state.place));
	if (more.length > 0) throw new MakeFailure('multiple target patterns', placeText(state.place));
	if (patternOf(pattern).end === null) throw new MakeFailure("target pattern contains no '%'", placeText(state.place));
	return pattern;
}

/** Expands word by word up to the colon: after it may be a variable's value, which is not expanded here. */
async function readHead(
	state: MakeState,
	line: string,
	semicolon: string | null
): Promise<Head | 'nothing' | 'no targets'> {
	if (line.trim() === '') {
		if (semicolon !== null) throw new MakeFailure('missing rule before recipe', placeText(state.place));
		return 'nothing';
	}
	if (/^\s*&?::?(?!=)/.test(line)) return 'no targets';
	let expanded = '';
	let rest = line.trimStart();
	for (;;) {
		const end = wordEnd(rest);
		const word = rest.slice(0, end);
		rest = rest.slice(end);
		expanded += (expanded === '' ? '' : ' ') + (await expand(state, state.readScope, word));
		const late = semicolon === null ? findUnquoted(expanded, ';#') : { found: '', before: expanded, after: '' };
		const colon = findUnquoted(late.before, ':');
		if (colon.found !== '')
			return headOf(
				late.before,
				colon.before,
				late.found === ';' ? late.after + rest : null,
				late.found === '' ? rest : '',
				semicolon
			);
		rest = rest.replace(/^[ \t]+/, '');
		if (rest === '') break;
	}
	if (expanded.trim() === '') return 'nothing';
	const spaces = state.prefix === '\t' && line.startsWith('        ') ? ' (did you mean TAB instead of 8 spaces?)' : '';
	throw new MakeFailure(`missing separator${spaces}`, placeText(state.place));
}

function headOf(text: string, before: string, late: string | null, rest: string, semicolon: string | null): Head {
	// `before` has lost its backslashes, so the colon is searched in the original text.
	let at = 0;
	for (let index = 0; index < text.length; index++) {
		if (text[index] === '\\') index++;
		else if (text[index] === ':') {
			at = index;
			break;
		}
	}
	const isDoubleColon = text[at + 1] === ':' && text[at + 2] !== '=';
	const isGrouped = before.endsWith('&');
	return {
		targets: isGrouped ? before.slice(0, -1) : before,
		...{ isDoubleColon, isGrouped },
		expanded: text.slice(at + (isDoubleColon ? 2 : 1)),
		...{ rest, command: late ?? semicolon }
	};
}

/** End of the first word: at a blank or after a colon, outside of references. */
function wordEnd(text: string): number {
	for (let at = 0; at < text.length; at++) {
		const letter = text[at];
		if (letter === '$') {
			const next = text[at + 1] ?? '';
			const end = next === '(' || next === '{' ? closing(text, at + 1) : at + 1;
			at = end < 0 ? text.length : end;
		} else if (letter === '\\') at++;
		else if (letter === ' ' || letter === '\t') return at;
		else if (letter === ':') return text[at + 1] === ':' ? at + 2 : at + 1;
	}
	return text.length;
}

/** Sets the default goal: the first target that is not a pattern, a special target or a suffix. */
function chooseGoal(state: MakeState, targets: readonly string[]): void {
	if (state.globals.own('.DEFAULT_GOAL')?.value) return;
	const suffixes = suffixesOf(state.files);
	const isSuffix = (name: string) => suffixes.some((to) => name === to || suffixes.some((from) => name === from + to));
	for (const name of targets) {
		if (name.includes('%')) return;
		if ((name.startsWith('.') && !name.includes('/')) || isSuffix(name)) continue;
		state.globals.define('.DEFAULT_GOAL', name, 'file');
		return;
	}
}
