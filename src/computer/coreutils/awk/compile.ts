import { type Execute, ExpressionCompiler } from './compile-expression.ts';
import type { Expression, Program, Statement } from './nodes.ts';
import { ExitJump, NextJump, type Runtime } from './runtime.ts';
import { AwkError } from './tokens.ts';
import { fromInput, sprintf, toNumber } from './values.ts';

/** Turns the syntax tree into closures over a runtime. */
export class Compiler extends ExpressionCompiler {
	#rounds = 0;

	constructor(
		runtime: Runtime,
		private readonly program: Program,
		nextRecord: () => string | null
	) {
		super(runtime, nextRecord);
		for (const [name, { parameters }] of program.functions)
			this.procedures.set(name, { parameters, arrays: new Set(), run: () => undefined });
		this.findArrayParameters();
		for (const [name, definition] of program.functions) {
			this.parameters = definition.parameters;
			const procedure = this.procedures.get(name);
			if (procedure) procedure.run = this.statement(definition.body);
		}
		this.parameters = [];
	}

	/** Infers which parameters are arrays from their uses, including calls of other functions. */
	protected findArrayParameters(): void {
		for (let changed = true; changed;) {
			changed = false;
			for (const [name, definition] of this.program.functions) {
				const procedure = this.procedures.get(name);
				const mark = (variable: string) => {
					const index = definition.parameters.indexOf(variable);
					if (index < 0 || !procedure || procedure.arrays.has(index)) return;
					procedure.arrays.add(index);
					changed = true;
				};
				visit(definition.body, (node) => {
					if (
						(node.type === 'element' || node.type === 'in' || node.type === 'each' || node.type === 'delete') &&
						'name' in node
					)
						mark(node.name);
					if (node.type !== 'call' && node.type !== 'builtin') return;
					for (const [index, argument] of node.args.entries()) {
						const array =
							node.type === 'call' ? this.procedures.get(node.name)?.arrays.has(index) : takesArray(node.name, index);
						if (array && argument.type === 'variable') mark(argument.name);
					}
				});
			}
		}
	}

	statement(node: Statement): Execute {
		const { runtime } = this;
		switch (node.type) {
			case 'block': {
				const body = node.body.map((one) => this.statement(one));
				return () => {
					for (const run of body) {
						const end = run();
						if (end) return end;
					}
					return undefined;
				};
			}
			case 'expression': {
				const value = this.expression(node.expression);
				return () => void value();
			}
			case 'print':
				return this.print(node);
			case 'if': {
				const test = this.condition(node.test);
				const yes = this.statement(node.yes);
				const no = node.no ? this.statement(node.no) : () => undefined;
				return () => (test() ? yes() : no());
			}
			case 'while':
				return this.loop(null, node.test, null, node.body, true);
			case 'do':
				return this.loop(null, node.test, null, node.body, false);
			case 'for':
				return this.loop(node.start, node.test, node.step, node.body, true);
			case 'each': {
				const array = this.array(node.name);
				const assign = this.assigner({ type: 'variable', name: node.variable });
				const body = this.statement(node.body);
				return () => {
					for (const key of [...array().keys()]) {
						assign(fromInput(key));
						const end = body();
						if (end === 'break') break;
						if (end === 'return') return end;
					}
					return undefined;
				};
			}
			case 'delete': {
				const array = this.array(node.name);
				const key = node.subscript ? this.key(node.subscript) : null;
				return () => {
					if (key) array().delete(key());
					else array().clear();
					return undefined;
				};
			}
			case 'exit': {
				const value = node.value ? this.expression(node.value) : null;
				return () => {
					throw new ExitJump(value ? toNumber(value()) : null);
				};
			}
			case 'return': {
				const value = node.value ? this.expression(node.value) : () => undefined;
				return () => {
					this.returned = value();
					return 'return';
				};
			}
			case 'next':
			case 'nextfile': {
				const jump = new NextJump(node.type === 'nextfile');
				return () => {
					throw jump;
				};
			}
			case 'break':
				return () => 'break';
			case 'continue':
				return () => 'continue';
			default:
				throw new AwkError(`cannot run ${JSON.stringify(node satisfies never)} on ${String(runtime)}`);
		}
	}

	protected loop(
		start: Statement | null,
		test: Expression | null,
		step: Statement | null,
		body: Statement,
		first: boolean
	): Execute {
		const begin = start ? this.statement(start) : null;
		const more = test ? this.condition(test) : () => true;
		const after = step ? this.statement(step) : null;
		const run = this.statement(body);
		return () => {
			begin?.();
			if (first && !more()) return undefined;
			do {
				if ((++this.#rounds & 0xfff) === 0) this.runtime.check();
				const end = run();
				if (end === 'break') break;
				if (end === 'return') return end;
				after?.();
			} while (more());
			return undefined;
		};
	}

	protected print(node: Extract<Statement, { type: 'print' }>): Execute {
		const { runtime } = this;
		const args = node.args.map((argument) => this.expression(argument));
		const text = node.format
			? () => {
					const [format, ...values] = args.map((value) => value());
					return sprintf(runtime.text(format), values, runtime.format());
				}
			: args.length === 0
				? () => `${runtime.record.text}${runtime.text(runtime.get('ORS'))}`
				: () =>
						`${args.map((value) => runtime.shown(value())).join(runtime.text(runtime.get('OFS')))}${runtime.text(runtime.get('ORS'))}`;
		if (!node.redirect) return () => void runtime.files.print(text());
		const { kind } = node.redirect;
		const to = this.expression(node.redirect.to);
		return () => void runtime.files.write(kind, runtime.text(to()), text());
	}
}

const takesArray = (name: string, index: number) =>
	(name === 'split' && index === 1) || (name === 'match' && index === 2) || name === 'asort' || name === 'asorti';

function visit(node: unknown, look: (node: Expression | Statement) => void): void {
	if (Array.isArray(node)) for (const one of node) visit(one, look);
	else if (isNode(node)) {
		look(node);
		for (const value of Object.values(node)) visit(value, look);
	} else if (typeof node === 'object' && node !== null) for (const value of Object.values(node)) visit(value, look);
}

/** Everything in a tree that has a type is an expression or a statement. */
const isNode = (node: unknown): node is Expression | Statement =>
	typeof node === 'object' && node !== null && 'type' in node;
