import type { Arithmetic, ArithmeticExpression } from '../ast/nodes.ts';
import { parse } from '../ast/parse.ts';
import { ShellError } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { parameterText } from './parameter-text.ts';

/** Evaluates an arithmetic expression in 64 bits, with its assignments. */
export async function evaluateArithmetic(shell: Shell, expression: ArithmeticExpression): Promise<bigint> {
	return value(shell, expression.expression, 0);
}

/** The same for text: `let`, `declare -i`, array subscripts, `-eq`. */
export async function evaluateText(shell: Shell, text: string, depth = 0): Promise<bigint> {
	const trimmed = text.trim();
	if (trimmed === '') return 0n;
	if (/^-?(0|[1-9]\d{0,14})$/.test(trimmed)) return BigInt(trimmed);
	if (depth > 100) throw new ShellError(`${text}: expression recursion level exceeded`);
	const command = parse(`((${trimmed}))`).statements[0]?.pipelines[0]?.commands[0];
	if (command?.type !== 'ArithmeticCommand') throw new ShellError(`${text}: syntax error: operand expected`);
	return value(shell, command.expression.expression, depth + 1);
}

async function value(shell: Shell, node: Arithmetic, depth: number): Promise<bigint> {
	switch (node.type) {
		case 'ArithNumber':
			if (Number.isNaN(node.value)) throw new ShellError('value too great for base');
			return wrap(BigInt(Math.trunc(node.value)));
		case 'ArithSingleQuote':
			return BigInt(Math.trunc(node.value));
		case 'ArithVariable':
			return variable(shell, node.name, depth);
		case 'ArithSpecialVar':
			return evaluateText(shell, await parameterText(shell, node.name), depth);
		case 'ArithGroup':
		case 'ArithNested':
			return value(shell, node.expression, depth);
		case 'ArithUnary':
			return unary(shell, node, depth);
		case 'ArithBinary':
			return binary(shell, node, depth);
		case 'ArithTernary':
			return value(shell, (await value(shell, node.condition, depth)) !== 0n ? node.consequent : node.alternate, depth);
		case 'ArithAssignment': {
			const key =
				node.subscript || node.stringKey !== undefined ? await subscript(shell, node.variable, node, depth) : null;
			const operand = await value(shell, node.value, depth);
			const before = node.operator === '=' ? 0n : await element(shell, node.variable, key, depth);
			const result = node.operator === '=' ? operand : compute(node.operator.slice(0, -1), before, operand);
			if (key === null) shell.variables.set(node.variable, String(result));
			else shell.variables.setElement(node.variable, key, String(result));
			return result;
		}
		case 'ArithArrayElement':
			return element(
				shell,
				node.array,
				await subscript(shell, node.array, { subscript: node.index, stringKey: node.stringKey }, depth),
				depth
			);
		case 'ArithBracedExpansion':
			return evaluateText(shell, await parameterText(shell, `{${node.content}}`), depth);
		case 'ArithCommandSubst':
			return evaluateText(shell, await parameterText(shell, `(${node.command})`), depth);
		case 'ArithConcat': {
			let text = '';
			for (const part of node.parts) text += await piece(shell, part, depth);
			return evaluateText(shell, text, depth);
		}
		case 'ArithDynamicBase':
			return evaluateText(shell, `${await parameterText(shell, `{${node.baseExpr}}`)}#${node.value}`, depth);
		case 'ArithDynamicNumber':
			return evaluateText(shell, (await parameterText(shell, `{${node.prefix}}`)) + node.suffix, depth);
		case 'ArithSyntaxError':
			throw new ShellError(node.message);
		default:
			throw new ShellError('syntax error in arithmetic expression');
	}
}

async function piece(shell: Shell, node: Arithmetic, depth: number): Promise<string> {
	if (node.type === 'ArithVariable') return node.hasDollarPrefix ? (shell.variables.get(node.name) ?? '') : node.name;
	if (node.type === 'ArithNumber') return String(node.value);
	return String(await value(shell, node, depth));
}

async function variable(shell: Shell, name: string, depth: number): Promise<bigint> {
	const text = shell.variables.get(name) ?? (/^\d+$/.test(name) ? await parameterText(shell, name) : '');
	if (text === '' && shell.options.nounset && !shell.variables.find(name)) {
		throw new ShellError(`${name}: unbound variable`, shell.options.errexit ? 1 : 127, true);
	}
	return evaluateText(shell, text, depth);
}

async function subscript(
	shell: Shell,
	array: string,
	node: { subscript?: Arithmetic | undefined; stringKey?: string | undefined },
	depth: number
): Promise<string | number> {
	if (shell.variables.find(array)?.associative) {
		if (node.stringKey !== undefined) return node.stringKey;
		return node.subscript ? piece(shell, node.subscript, depth) : '';
	}
	return node.subscript ? Number(await value(shell, node.subscript, depth)) : 0;
}

async function element(shell: Shell, name: string, key: string | number | null, depth: number): Promise<bigint> {
	if (key === null) return variable(shell, name, depth);
	const found = shell.variables.find(name);
	if (found?.associative) return evaluateText(shell, found.associative.get(String(key)) ?? '', depth);
	if (found?.indexed) {
		const index = Number(key) < 0 ? Number(key) + Math.max(-1, ...found.indexed.keys()) + 1 : Number(key);
		return evaluateText(shell, found.indexed.get(index) ?? '', depth);
	}
	return Number(key) === 0 ? variable(shell, name, depth) : 0n;
}

type NodeOf<Type extends Arithmetic['type']> = Extract<Arithmetic, { type: Type }>;

async function unary(shell: Shell, node: NodeOf<'ArithUnary'>, depth: number): Promise<bigint> {
	const target = node.operand;
	if (
		(node.operator === '++' || node.operator === '--') &&
		(target.type === 'ArithVariable' || target.type === 'ArithArrayElement')
	) {
		const name = target.type === 'ArithVariable' ? target.name : target.array;
		const key =
			target.type === 'ArithVariable'
				? null
				: await subscript(shell, name, { subscript: target.index, stringKey: target.stringKey }, depth);
		const before = await element(shell, name, key, depth);
		const after = wrap(before + (node.operator === '++' ? 1n : -1n));
		if (key === null) shell.variables.set(name, String(after));
		else shell.variables.setElement(name, key, String(after));
		return node.prefix ? after : before;
	}
	const operand = await value(shell, target, depth);
	if (node.operator === '-') return wrap(-operand);
	if (node.operator === '!') return operand === 0n ? 1n : 0n;
	if (node.operator === '~') return ~operand;
	return operand;
}

async function binary(shell: Shell, node: NodeOf<'ArithBinary'>, depth: number): Promise<bigint> {
	const left = await value(shell, node.left, depth);
	if (node.operator === '&&') return left !== 0n && (await value(shell, node.right, depth)) !== 0n ? 1n : 0n;
	if (node.operator === '||') return left !== 0n || (await value(shell, node.right, depth)) !== 0n ? 1n : 0n;
	return compute(node.operator, left, await value(shell, node.right, depth));
}

const truth = (condition: boolean) => (condition ? 1n : 0n);
const wrap = (number: bigint) => BigInt.asIntN(64, number);

function compute(operator: string, left: bigint, right: bigint): bigint {
	switch (operator) {
		case '+':
			return wrap(left + right);
		case '-':
			return wrap(left - right);
		case '*':
			return wrap(left * right);
		case '/':
		case '%':
			if (right === 0n) throw new ShellError(`division by 0 (error token is "${right}")`, 1, true);
			return operator === '/' ? wrap(left / right) : left % right;
		case '**':
			if (right < 0n) throw new ShellError('exponent less than 0');
			return wrap(left ** right);
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
