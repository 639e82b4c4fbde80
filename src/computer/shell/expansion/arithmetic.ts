import { type Expression, parseExpression, type Target } from '../arithmetic/parse.ts';
import type { Word } from '../ast/nodes.ts';
import { BadSubscript, ShellError } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { assignText } from '../execution/assignments.ts';
import { arrayElements, arrayKey, elementOf, specialParameter } from './parameter.ts';
import { expandToText } from './word.ts';

const DEPTH = 1024;
const parsed = new Map<string, Expression>();

/** Evaluates an arithmetic expression in 64 bits, with its assignments. */
export async function evaluateArithmetic(shell: Shell, expression: Word): Promise<bigint> {
	return evaluateText(shell, await expandToText(shell, expression));
}

/** Same for text whose `$` parts are already expanded: `let`, `declare -i`, subscripts, `-eq`. */
export async function evaluateText(shell: Shell, text: string, depth = 0): Promise<bigint> {
	if (/^-?(0|[1-9]\d{0,14})$/.test(text)) return BigInt(text);
	if (depth > DEPTH)
		throw new ShellError(`${text}: expression recursion level exceeded (error token is "${text}")`, 1, 'line');
	let expression = parsed.get(text);
	if (!expression) {
		expression = parseExpression(text);
		if (parsed.size > 500) parsed.clear();
		parsed.set(text, expression);
	}
	return new Evaluation(shell, text, depth).value(expression);
}

class Evaluation {
	constructor(
		private readonly shell: Shell,
		private readonly text: string,
		private readonly depth: number
	) {}

	async value(node: Expression): Promise<bigint> {
		switch (node.type) {
			case 'number':
				return node.value;
			case 'variable':
				return this.#variable(node);
			case 'unary':
				return unary(node.operator, await this.value(node.operand));
			case 'step': {
				const target = await this.#element(node.target);
				const before = await this.#variable(target);
				const after = wrap(before + (node.operator === '++' ? 1n : -1n));
				await this.#assign(target, after);
				return node.isPrefix ? after : before;
			}
			case 'choice':
				return this.value((await this.value(node.condition)) !== 0n ? node.yes : node.no);
			case 'assign': {
				const target = node.operator === '' ? node.target : await this.#element(node.target);
				const before = node.operator === '' ? 0n : await this.#variable(target);
				const operand = await this.value(node.value);
				const result = node.operator === '' ? operand : this.#compute(node.operator, before, operand);
				await this.#assign(target, result);
				return result;
			}
			case 'binary':
				return this.#binary(node);
		}
	}

	async #binary({ operator, left, right, rest }: Extract<Expression, { type: 'binary' }>): Promise<bigint> {
		const first = await this.value(left);
		if (operator === '&&') return first !== 0n && (await this.value(right)) !== 0n ? 1n : 0n;
		if (operator === '||') return first !== 0n || (await this.value(right)) !== 0n ? 1n : 0n;
		return this.#compute(operator, first, await this.value(right), rest);
	}

	/** Returns the target with its index as a number: an index that is an expression is evaluated only once. */
	async #element(target: Target): Promise<Target> {
		const { name, subscript } = target;
		const isNumber = subscript === null || /^-?\d+$/.test(subscript);
		if (isNumber || this.shell.variables.find(name)?.associative) return target;
		return { ...target, subscript: String(await arrayKey(this.shell, name, subscript)) };
	}

	async #variable({ name, subscript }: Target): Promise<bigint> {
		const { shell } = this;
		const text = subscript === null ? scalar(shell, name) : await elementOf(shell, name, subscript);
		const isMissing = subscript === null ? text === undefined : arrayElements(shell, name).length === 0;
		if (isMissing && shell.options.nounset) {
			throw new ShellError(`${name}: unbound variable`, shell.statusOfFatal, true);
		}
		return text === undefined || text === '' ? 0n : evaluateText(shell, text, this.depth + 1);
	}

	async #assign({ name, subscript }: Target, value: bigint): Promise<void> {
		try {
			await assignText(this.shell, subscript === null ? name : `${name}[${subscript}]`, String(value), false);
		} catch (error) {
			// The expression has the value that would have been assigned.
			if (!(error instanceof BadSubscript)) throw error;
			this.shell.complain(error.message);
		}
	}

	#compute(operator: string, left: bigint, right: bigint, rest = String(right)): bigint {
		if ((operator === '/' || operator === '%') && right === 0n)
			throw new ShellError(`${this.text.trimStart()}: division by 0 (error token is "${rest}")`, 1, 'line');
		if (operator === '**' && right < 0n)
			throw new ShellError(`${this.text.trimStart()}: exponent less than 0 (error token is "${rest}")`, 1, 'line');
		return compute(operator, left, right);
	}
}

const scalar = (shell: Shell, name: string) => specialParameter(shell, name) ?? shell.variables.get(name);

function unary(operator: string, operand: bigint): bigint {
	if (operator === '-') return wrap(-operand);
	if (operator === '!') return operand === 0n ? 1n : 0n;
	return operator === '~' ? ~operand : operand;
}

const truth = (condition: boolean) => (condition ? 1n : 0n);
const wrap = (number: bigint) => BigInt.asIntN(64, number);

/** Computes a power by squaring, so that a large exponent is fast. */
function power(base: bigint, exponent: bigint): bigint {
	let result = 1n;
	for (let left = exponent, square = base; left > 0n; left >>= 1n, square = wrap(square * square)) {
		if (left & 1n) result = wrap(result * square);
	}
	return result;
}

function compute(operator: string, left: bigint, right: bigint): bigint {
	switch (operator) {
		case '+':
			return wrap(left + right);
		case '-':
			return wrap(left - right);
		case '*':
			return wrap(left * right);
		case '/':
			return wrap(left / right);
		case '%':
			return left % right;
		case '**':
			return power(left, right);
		case '<<':
			return wrap(left << (right & 63n));
		case '>>':
			return wrap(left >> (right & 63n));
		case '<':
			return truth(left < right);
		case '<=':
			return truth(left <= right);
		case '>':
			return truth(left > right);
		case '>=':
			return truth(left >= right);
		case '==':
			return truth(left === right);
		case '!=':
			return truth(left !== right);
		case '&':
			return left & right;
		case '|':
			return left | right;
		case '^':
			return left ^ right;
		case ',':
			return right;
		default:
			throw new ShellError(`unknown operator ${operator}`);
	}
}
