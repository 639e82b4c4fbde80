import type { Assignment, Part, Word } from '../ast/nodes.ts';
import { printWord } from '../ast/print.ts';
import { quoteSubscript } from '../parser/subscript.ts';
import type { Shell } from '../state/shell.ts';
import { evaluateArithmetic } from './arithmetic.ts';
import { expandBraces } from './braces.ts';
import { type Field, FieldBuilder, fieldText } from './field.ts';
import { globOrText } from './glob.ts';
import { addParameter } from './parameter.ts';
import { hasGlob, patternOf } from './pattern.ts';
import { processSubstitution } from './process-substitution.ts';
import { substitute, substituteSource } from './substitution.ts';

/** State of expanding the parts of a word. */
export interface Expansion {
	shell: Shell;
	builder: FieldBuilder;
	/** False if results are not split: assignments, `[[ ]]`, here-documents. */
	split: boolean;
	/** True for the word inside `${x:-…}`. */
	nested?: boolean;
	/** True next to `$@` between quotes, where only non-empty text creates a word. */
	skipsEmpty?: boolean;
}

/** Expands words as for a command: braces, splitting, file names. */
export async function expandWords(shell: Shell, words: readonly Word[]): Promise<string[]> {
	const results: string[] = [];
	for (const word of words) {
		if (word.assignment) {
			results.push(await assignmentText(shell, word.assignment));
			continue;
		}
		const [only] = word.parts;
		if (word.parts.length === 1 && only?.type === 'Literal' && !/[*?[{\\(]/.test(only.value)) {
			results.push(only.value);
			continue;
		}
		for (const one of shell.options.braceexpand ? expandBraces(word) : [word]) {
			for (const field of await expandFields(shell, one)) {
				if (!shell.options.noglob && hasGlob(field)) results.push(...globOrText(shell, field));
				else results.push(fieldText(field));
			}
		}
	}
	return results;
}

/** Formats an assignment as a command receives it: `name=value`. */
async function assignmentText(shell: Shell, assignment: Assignment): Promise<string> {
	if (assignment.array) return printWord({ type: 'Word', parts: [], assignment });
	const head = `${assignment.name}${assignment.subscript === null ? '' : `[${assignment.subscript}]`}`;
	const value = assignment.value ? await expandToText(shell, assignment.value) : '';
	return `${head}${assignment.append ? '+' : ''}=${value}`;
}

async function expandFields(shell: Shell, word: Word): Promise<Field[]> {
	const builder = new FieldBuilder(shell.variables.get('IFS') ?? ' \t\n');
	await addParts({ shell, builder, split: true }, word.parts, false);
	return builder.result();
}

/** Expands to one string: no splitting, no file names. */
export async function expandToText(shell: Shell, word: Word): Promise<string> {
	const [only] = word.parts;
	if (word.parts.length === 1 && only && (only.type === 'Literal' || only.type === 'SingleQuoted')) return only.value;
	return fieldText(await unsplit(shell, word.parts));
}

/** Expands to a shell pattern in which quoted characters are literal: `case`, `${x#…}`, `[[ == ]]`. */
export async function expandToPattern(shell: Shell, word: Word): Promise<string> {
	return patternOf(await unsplit(shell, word.parts));
}

/** Expands parts to one field with its quoting, for patterns and regular expressions. */
export async function unsplit(shell: Shell, parts: readonly Part[]): Promise<Field> {
	const builder = new FieldBuilder('');
	await addParts({ shell, builder, split: false }, parts, false);
	const fields = builder.result();
	const separator = (shell.variables.get('IFS') ?? ' ').slice(0, 1);
	return fields.flatMap((field, index) => (index === 0 ? field : [{ text: separator || ' ', quoted: true }, ...field]));
}

export async function addParts(expansion: Expansion, parts: readonly Part[], quoted: boolean): Promise<void> {
	for (const part of parts) await addPart(expansion, part, quoted);
}

async function addPart(expansion: Expansion, part: Part, quoted: boolean): Promise<void> {
	const { shell, builder } = expansion;
	switch (part.type) {
		case 'Literal':
			// Inside `${x:-a b}` even literal text is split.
			return quoted || !expansion.nested ? builder.add(part.value, quoted) : addResult(expansion, part.value, false);
		case 'SingleQuoted':
		case 'Escaped':
			return builder.add(part.value, true);
		case 'DoubleQuoted':
			// An empty "$@" creates no word, even next to other empty parts, but "" and "$empty" do.
			if (!part.parts.some(isList)) {
				builder.add('', true);
				return addParts(expansion, part.parts, true);
			}
			for (const one of part.parts) await addPart({ ...expansion, skipsEmpty: !isList(one) }, one, true);
			return;
		case 'Tilde':
			return builder.add(tilde(shell, part.user), true);
		case 'Parameter':
			return addParameter(expansion, part, quoted);
		case 'CommandSubstitution':
			return addResult(expansion, await substitute(shell, part.body), quoted);
		case 'Backquoted':
			return addResult(expansion, await substituteSource(shell, part.source), quoted);
		case 'ArithmeticExpansion':
			return addResult(expansion, String(await evaluateArithmetic(shell, part.expression)), quoted);
		case 'Subscript': {
			const text = await expandToText(shell, { type: 'Word', parts: part.parts });
			return builder.add(`[${quoteSubscript(text)}]`, quoted);
		}
		case 'ProcessSubstitution':
			return builder.add(await processSubstitution(shell, part.body, part.direction), true);
	}
}

/** Returns whether a part is `$@` or similar; one with a default is text if it has no elements. */
function isList(part: Part): boolean {
	if (part.type !== 'Parameter' || (part.name !== '@' && part.subscript !== '@')) return false;
	const { operation } = part;
	return !operation || !('checkEmpty' in operation) || operation.type === 'Alternative';
}

/** Adds the result of an expansion, split or not as the context requires. */
export function addResult(expansion: Expansion, text: string, quoted: boolean): void {
	if (text === '' && expansion.skipsEmpty) return;
	if (quoted || !expansion.split) expansion.builder.add(text, quoted);
	else expansion.builder.addSplit(text);
}

function tilde(shell: Shell, user: string): string {
	if (user === '') return shell.variables.get('HOME') ?? '/home/user';
	if (user === '+') return shell.variables.get('PWD') ?? shell.cwd;
	if (user === '-') return shell.variables.get('OLDPWD') ?? '~-';
	const stack = [shell.cwd, ...shell.directoryStack];
	const number = Number(user.replace(/^[-+]/, ''));
	const entry = /^[-+]?\d+$/.test(user) ? stack[user.startsWith('-') ? stack.length - 1 - number : number] : undefined;
	if (entry !== undefined) return entry;
	return user === 'user' ? '/home/user' : user === 'root' ? '/root' : `~${user}`;
}
