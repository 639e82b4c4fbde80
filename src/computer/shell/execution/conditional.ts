import type { Conditional, Word } from '../ast/nodes.ts';
import { evaluateText } from '../expansion/arithmetic.ts';
import { extendedRegExp, globRegExp } from '../expansion/pattern.ts';
import { withSubscripts } from '../expansion/subscripts.ts';
import { expandToPattern, expandToText, unsplit } from '../expansion/word.ts';
import { ShellError } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { byteOrder } from '../expansion/glob.ts';
import { compareFiles, isSet, testFile } from './file-test.ts';

/** Invalid regular expression: the test has status 2 and, as in bash 5.2, prints nothing. */
export class InvalidRegExp extends Error {}

/** Evaluates `[[ … ]]`. @throws InvalidRegExp */
export async function evaluateConditional(shell: Shell, node: Conditional): Promise<boolean> {
	switch (node.type) {
		case 'CondNot':
			return !(await evaluateConditional(shell, node.operand));
		case 'CondAnd':
			return (await evaluateConditional(shell, node.left)) && evaluateConditional(shell, node.right);
		case 'CondOr':
			return (await evaluateConditional(shell, node.left)) || evaluateConditional(shell, node.right);
		case 'CondGroup':
			return evaluateConditional(shell, node.operand);
		case 'CondWord':
			return (await expandToText(shell, node.word)) !== '';
		case 'CondUnary':
			return node.operator === '-v'
				? isSet(shell, await expandToText(shell, withSubscripts(node.operand)))
				: testFile(shell, node.operator, await expandToText(shell, node.operand));
		case 'CondBinary':
			return binary(shell, node);
	}
}

const ARITHMETIC = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);

async function binary(shell: Shell, node: Extract<Conditional, { type: 'CondBinary' }>): Promise<boolean> {
	const prepare = ARITHMETIC.has(node.operator) ? withSubscripts : (word: Word) => word;
	const left = await expandToText(shell, prepare(node.left));
	const ignoreCase = shell.shopt.has('nocasematch');
	switch (node.operator) {
		case '=':
		case '==':
			return globRegExp(await expandToPattern(shell, node.right), { ignoreCase }).test(left);
		case '!=':
			return !globRegExp(await expandToPattern(shell, node.right), { ignoreCase }).test(left);
		case '=~':
			return matchRegExp(shell, left, await regExpSource(shell, node.right), ignoreCase);
	}
	const right = await expandToText(shell, prepare(node.right));
	if (node.operator === '<') return byteOrder(left, right) < 0;
	if (node.operator === '>') return byteOrder(left, right) > 0;
	if (node.operator === '-nt' || node.operator === '-ot' || node.operator === '-ef') {
		return compareFiles(shell, left, node.operator, right);
	}
	return compareNumbers(await evaluateText(shell, left), node.operator, await evaluateText(shell, right));
}

export function compareNumbers(left: bigint, operator: string, right: bigint): boolean {
	switch (operator) {
		case '-eq':
			return left === right;
		case '-ne':
			return left !== right;
		case '-lt':
			return left < right;
		case '-le':
			return left <= right;
		case '-gt':
			return left > right;
		case '-ge':
			return left >= right;
		default:
			throw new ShellError(`${operator}: binary operator expected`, 2);
	}
}

/** Builds the source of the right side: quoted parts match literally; the parser's literals are the expression. */
async function regExpSource(shell: Shell, word: Parameters<typeof expandToText>[1]): Promise<string> {
	let source = '';
	for (const part of word.parts) {
		const text = (await unsplit(shell, [part])).map((segment) => segment.text).join('');
		const literal = ['SingleQuoted', 'DoubleQuoted', 'Escaped', 'Tilde'].includes(part.type);
		// A quoted end of a bracket expression is still its end, not a member.
		const isInBrackets = part.type.endsWith('Quoted') && /(?:^|[^\\])\[\^?\]?[^\]]*$/.test(source);
		const special = isInBrackets ? /\\/g : /[\\^$.*+?()[\]{}|]/g;
		source += literal ? text.replace(special, '\\$&') : text;
	}
	return source;
}

function matchRegExp(shell: Shell, text: string, source: string, ignoreCase: boolean): boolean {
	let expression: RegExp;
	try {
		expression = extendedRegExp(source, ignoreCase);
	} catch {
		throw new InvalidRegExp();
	}
	const match = expression.exec(text);
	shell.variables.unset('BASH_REMATCH');
	const groups: [number, string][] = [...(match ?? [])].map((group, index) => [index, group ?? '']);
	shell.variables.declare('BASH_REMATCH', { indexed: new Map(groups) });
	return match !== null;
}
