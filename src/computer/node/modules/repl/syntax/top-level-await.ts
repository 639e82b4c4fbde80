import {
	parse,
	type AnyNode,
	type ModuleDeclaration,
	type Pattern,
	type Statement,
	type VariableDeclaration
} from 'acorn';
import { isParseError, type ParseError } from './parse-error.ts';

/** Result of {@link withTopLevelAwait}. */
export type Awaiting =
	/** It awaits nothing, or is invalid for another reason. */
	| { kind: 'plain' }
	/** Text that returns a promise of `{ value }`. */
	| { kind: 'awaiting'; code: string }
	/** A template, string or comment has no end yet. */
	| { kind: 'unterminated' }
	| { kind: 'invalid'; message: string };

const START = '(async () => { ';
const END = ' })()';

/**
 * Rewrites a script that awaits outside of functions as one async function. What it declares becomes declarations
 * before that function, so that the next statements know the names; its last expression becomes the value.
 */
export function withTopLevelAwait(code: string): Awaiting {
	let body;
	try {
		[body] = parse(START + code + END, { ecmaVersion: 'latest' }).body;
	} catch (error) {
		if (!isParseError(error)) throw error;
		return invalid(code, error);
	}
	if (body?.type !== 'ExpressionStatement' || body.expression.type !== 'CallExpression') return { kind: 'plain' };
	const { callee } = body.expression;
	if (callee.type !== 'ArrowFunctionExpression' || callee.body.type !== 'BlockStatement') return { kind: 'plain' };
	const rewriting = new Rewriting(START + code + END);
	const statements = callee.body.body;
	for (const statement of statements) rewriting.visit(statement, callee.body);
	if (!rewriting.awaits || rewriting.returns) return { kind: 'plain' };
	rewriting.returnLast(statements);
	return { kind: 'awaiting', code: rewriting.toString() };
}

function invalid(code: string, error: ParseError): Awaiting {
	if (error.message.startsWith('Unterminated ')) return { kind: 'unterminated' };
	const awaitAt = code.indexOf('await');
	const at = error.pos - START.length;
	// The engine's own message about what is before or directly behind the first `await` is better.
	if (awaitAt > at) return { kind: 'plain' };
	if (at === awaitAt + 6 && error.message.includes('Expecting Unicode escape sequence')) return { kind: 'plain' };
	if (at === awaitAt + 7 && error.message.includes('Unexpected token')) return { kind: 'plain' };
	const { line } = error.loc;
	const column = line === 1 ? error.loc.column - START.length : error.loc.column;
	const text = error.message.replace(/ \([^)]+\)/, '');
	const token = text.endsWith('Unexpected token') ? ` '${code[at] ?? code.at(-1) ?? ''}'` : '';
	return {
		kind: 'invalid',
		message: `\n${code.split('\n')[line - 1] ?? ''}\n${' '.repeat(column)}^\n\n${text}${token}`
	};
}

interface Edit {
	at: number;
	/** Number of characters to leave out. */
	removed: number;
	text: string;
}

class Rewriting {
	awaits = false;
	returns = false;
	readonly #edits: Edit[] = [];
	readonly #declared: string[] = [];

	constructor(private readonly code: string) {}

	visit(node: AnyNode, parent: AnyNode, isTop = true): void {
		switch (node.type) {
			case 'FunctionExpression':
			case 'ArrowFunctionExpression':
			case 'MethodDefinition':
			case 'StaticBlock':
				return;
			case 'FunctionDeclaration':
				if (node.id) this.#insert(node.start, `this.${node.id.name} = ${node.id.name}; `);
				if (node.id) this.#declared.push(`var ${node.id.name}; `);
				return;
			case 'ClassDeclaration':
				if (!isTop || !node.id) break;
				this.#insert(node.start, `${node.id.name}=`);
				this.#declared.push(`let ${node.id.name}; `);
				break;
			case 'VariableDeclaration':
				if (node.kind === 'var' || isTop) this.#hoist(node, parent);
				break;
			case 'AwaitExpression':
				this.awaits = true;
				break;
			case 'ForOfStatement':
				this.awaits ||= node.await;
				break;
			case 'ReturnStatement':
				this.returns = true;
		}
		for (const child of childrenOf(node)) this.visit(child, node, false);
	}

	/** Turns declarations into assignments to names that are declared before the function. */
	#hoist(node: VariableDeclaration, parent: AnyNode): void {
		const { kind, declarations, start, end } = node;
		const isIterated = parent.type === 'ForOfStatement' || parent.type === 'ForInStatement';
		const isList = declarations.length > 1;
		if (isIterated) this.#edits.push({ at: start, removed: kind.length + 1, text: '' });
		else {
			this.#edits.push({ at: start, removed: kind.length, text: isList ? 'void (' : 'void' });
			for (const one of declarations) {
				this.#insert(one.start, '(');
				this.#insert(one.end, one.init ? ')' : '=undefined)');
			}
			if (isList) this.#insert(declarations.at(-1)?.end ?? end, ')');
		}
		const names = declarations.flatMap(({ id }) => namesOf(id));
		if (names.length > 0) this.#declared.push(`${kind === 'var' ? 'var' : 'let'} ${names.join(', ')}; `);
	}

	/** Returns the value of the last statement in an object: the value may be a promise that nothing awaits. */
	returnLast(statements: (Statement | ModuleDeclaration)[]): void {
		const last = statements.findLast(({ type }) => type !== 'EmptyStatement');
		if (last?.type !== 'ExpressionStatement') return;
		const { start, end } = last.expression;
		this.#edits.unshift({ at: last.start, removed: 0, text: 'return ' }, { at: start, removed: 0, text: '{ value: (' });
		this.#insert(end, ') }');
	}

	#insert(at: number, text: string): void {
		this.#edits.push({ at, removed: 0, text });
	}

	toString(): string {
		let text = this.#declared.join('');
		let from = 0;
		for (const { at, removed, text: inserted } of this.#edits.sort((a, b) => a.at - b.at)) {
			text += this.code.slice(from, at) + inserted;
			from = Math.max(from, at + removed);
		}
		return text + this.code.slice(from);
	}
}

function* childrenOf(node: AnyNode): Iterable<AnyNode> {
	for (const value of Object.values(node) as unknown[]) {
		for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) if (isNode(one)) yield one;
	}
}

const isNode = (value: unknown): value is AnyNode =>
	typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

function namesOf(pattern: Pattern): string[] {
	switch (pattern.type) {
		case 'Identifier':
			return [pattern.name];
		case 'ObjectPattern':
			return pattern.properties.flatMap((one) => namesOf(one.type === 'Property' ? one.value : one.argument));
		case 'ArrayPattern':
			return pattern.elements.flatMap((one) => (one ? namesOf(one) : []));
		case 'AssignmentPattern':
			return namesOf(pattern.left);
		case 'RestElement':
			return namesOf(pattern.argument);
		default:
			return [];
	}
}
