import { FUNCTIONS, type Argument } from './functions.ts';
import type { Expression, Program, Statement, Target } from './nodes.ts';
import { awkPattern } from './record.ts';
import { ExitJump, NextJump, type Runtime } from './runtime.ts';
import { AwkError } from './tokens.ts';
import { type AwkArray, compare, fromInput, isTrue, sprintf, toNumber, type Value } from './values.ts';

type Evaluate = () => Value;
/** How a statement ended: on, or out of a loop, or out of the function. */
type Execute = () => 'break' | 'continue' | 'return' | undefined;
type Local = Value | AwkArray;

interface Procedure {
	parameters: string[];
	arrays: Set<number>;
	run: Execute;
}

/** Turns the syntax tree into closures over a runtime. */
export class Compiler {
	#procedures = new Map<string, Procedure>();
	#frame: Local[] = [];
	#returned: Value;
	/** Names of the parameters of the function being compiled. */
	#parameters: readonly string[] = [];
	#rounds = 0;
	#depth = 0;

	constructor(
		private readonly runtime: Runtime,
		private readonly program: Program,
		/** The next record of the main input, for a bare `getline`. */
		private readonly nextRecord: () => string | null
	) {
		for (const [name, { parameters }] of program.functions)
			this.#procedures.set(name, { parameters, arrays: new Set(), run: () => undefined });
		this.#findArrayParameters();
		for (const [name, definition] of program.functions) {
			this.#parameters = definition.parameters;
			const procedure = this.#procedures.get(name);
			if (procedure) procedure.run = this.statement(definition.body);
		}
		this.#parameters = [];
	}

	/** Which parameters are arrays follows from how the functions use them, also through each other. */
	#findArrayParameters(): void {
		for (let changed = true; changed;) {
			changed = false;
			for (const [name, definition] of this.program.functions) {
				const procedure = this.#procedures.get(name);
				const mark = (variable: string) => {
					const index = definition.parameters.indexOf(variable);
					if (index < 0 || !procedure || procedure.arrays.has(index)) return;
					procedure.arrays.add(index);
					changed = true;
				};
				visit(definition.body, (node) => {
					if ((node.type === 'element' || node.type === 'in' || node.type === 'each' || node.type === 'delete') && 'name' in node) mark(node.name); // prettier-ignore
					if (node.type !== 'call' && node.type !== 'builtin') return;
					for (const [index, argument] of node.args.entries()) {
						const array =
							node.type === 'call' ? this.#procedures.get(node.name)?.arrays.has(index) : takesArray(node.name, index);
						if (array && argument.type === 'variable') mark(argument.name);
					}
				});
			}
		}
	}

	condition(expression: Expression): () => boolean {
		const value = this.expression(expression);
		return () => isTrue(value());
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
				return this.#print(node);
			case 'if': {
				const test = this.condition(node.test);
				const yes = this.statement(node.yes);
				const no = node.no ? this.statement(node.no) : () => undefined;
				return () => (test() ? yes() : no());
			}
			case 'while':
				return this.#loop(null, node.test, null, node.body, true);
			case 'do':
				return this.#loop(null, node.test, null, node.body, false);
			case 'for':
				return this.#loop(node.start, node.test, node.step, node.body, true);
			case 'each': {
				const array = this.#array(node.name);
				const assign = this.#assigner({ type: 'variable', name: node.variable });
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
				const array = this.#array(node.name);
				const key = node.subscript ? this.#key(node.subscript) : null;
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
					this.#returned = value();
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

	#loop(
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

	#print(node: Extract<Statement, { type: 'print' }>): Execute {
		const { runtime } = this;
		const args = node.args.map((argument) => this.expression(argument));
		const text = node.format
			? () => {
					const [format, ...values] = args.map((value) => value());
					return sprintf(runtime.text(format), values, runtime.format());
				}
			: args.length === 0
				? () => `${runtime.record.text}${runtime.text(runtime.get('ORS'))}`
				: () => `${args.map((value) => runtime.shown(value())).join(runtime.text(runtime.get('OFS')))}${runtime.text(runtime.get('ORS'))}`; // prettier-ignore
		if (!node.redirect) return () => void runtime.files.print(text());
		const { kind } = node.redirect;
		const to = this.expression(node.redirect.to);
		return () => void runtime.files.write(kind, runtime.text(to()), text());
	}

	expression(node: Expression): Evaluate {
		const { runtime } = this;
		switch (node.type) {
			case 'number':
			case 'string': {
				const { value } = node;
				return () => value;
			}
			case 'regexp': {
				const pattern = awkPattern(node.source);
				return () => (pattern.test(runtime.record.text) ? 1 : 0);
			}
			case 'group': {
				const [only] = node.items;
				if (node.items.length !== 1 || !only) throw new AwkError('syntax error at or near ,');
				return this.expression(only);
			}
			case 'variable':
				return this.#variable(node.name);
			case 'element': {
				const array = this.#array(node.name);
				const key = this.#key(node.subscript);
				return () => {
					const items = array();
					const at = key();
					const value = items.get(at);
					if (value === undefined && !items.has(at)) items.set(at, undefined);
					return value;
				};
			}
			case 'field': {
				const index = this.expression(node.index);
				return () => runtime.record.get(Math.trunc(toNumber(index())));
			}
			case 'assign':
				return this.#assignment(node.operator, node.target, this.expression(node.value));
			case 'step': {
				const value = this.expression(node.target);
				const assign = this.#assigner(node.target);
				return () => {
					const before = toNumber(value());
					assign(before + node.by);
					return node.before ? before + node.by : before;
				};
			}
			case 'unary': {
				const value = this.expression(node.operand);
				if (node.operator === '!') return () => (isTrue(value()) ? 0 : 1);
				return node.operator === '-' ? () => -toNumber(value()) : () => toNumber(value());
			}
			case 'binary':
				return this.#binary(node.operator, this.expression(node.left), this.expression(node.right));
			case 'concat': {
				const [left, right] = [this.expression(node.left), this.expression(node.right)];
				return () => {
					const first = runtime.text(left());
					return first + runtime.text(right());
				};
			}
			case 'and': {
				const [left, right] = [this.condition(node.left), this.condition(node.right)];
				return () => (left() && right() ? 1 : 0);
			}
			case 'or': {
				const [left, right] = [this.condition(node.left), this.condition(node.right)];
				return () => (left() || right() ? 1 : 0);
			}
			case 'match': {
				const value = this.expression(node.left);
				const pattern = this.#pattern(node.right);
				return () => (pattern().test(runtime.text(value())) !== node.negated ? 1 : 0);
			}
			case 'in': {
				const array = this.#array(node.name);
				const key = this.#key(node.subscript);
				return () => (array().has(key()) ? 1 : 0);
			}
			case 'conditional': {
				const test = this.condition(node.test);
				const [yes, no] = [this.expression(node.yes), this.expression(node.no)];
				return () => (test() ? yes() : no());
			}
			case 'builtin':
				return this.#builtin(node.name, node.args);
			case 'call':
				return this.#call(node.name, node.args);
			case 'getline':
				return this.#getline(node);
		}
	}

	#variable(name: string): Evaluate {
		const { runtime } = this;
		const parameter = this.#parameters.indexOf(name);
		if (parameter >= 0) {
			return () => {
				const value = this.#frame[parameter];
				if (value instanceof Map) throw new AwkError(`attempt to use array ${name} in a scalar context`);
				return value;
			};
		}
		if (name === 'NF') return () => runtime.record.count;
		const slot = runtime.slot(name);
		const { globals } = runtime;
		return () => globals[slot];
	}

	#array(name: string): () => AwkArray {
		const parameter = this.#parameters.indexOf(name);
		if (parameter < 0) {
			const array = this.runtime.array(name);
			return () => array;
		}
		return () => {
			const value = this.#frame[parameter];
			if (value instanceof Map) return value;
			const array: AwkArray = new Map();
			this.#frame[parameter] = array;
			return array;
		};
	}

	#key(subscript: readonly Expression[]): () => string {
		const { runtime } = this;
		const parts = subscript
			.flatMap((part) => (part.type === 'group' ? part.items : [part]))
			.map((part) => this.expression(part));
		const [only] = parts;
		if (parts.length === 1 && only) return () => runtime.text(only());
		return () => parts.map((part) => runtime.text(part())).join(runtime.text(runtime.get('SUBSEP')));
	}

	#assigner(target: Target): (value: Value) => void {
		const { runtime } = this;
		if (target.type === 'field') {
			const index = this.expression(target.index);
			return (value) => runtime.record.put(Math.trunc(toNumber(index())), value);
		}
		if (target.type === 'element') {
			const array = this.#array(target.name);
			const key = this.#key(target.subscript);
			return (value) => void array().set(key(), value);
		}
		const { name } = target;
		const parameter = this.#parameters.indexOf(name);
		if (parameter >= 0) return (value) => void (this.#frame[parameter] = value);
		if (name === 'NF') return (value) => runtime.set('NF', value);
		const slot = runtime.slot(name);
		return (value) => void (runtime.globals[slot] = value);
	}

	#assignment(operator: string, target: Target, value: Evaluate): Evaluate {
		const assign = this.#assigner(target);
		if (operator === '=') {
			return () => {
				const result = value();
				assign(result);
				return result;
			};
		}
		const compute = this.#binary(operator.slice(0, -1), this.expression(target), value);
		return () => {
			const result = compute();
			assign(result);
			return result;
		};
	}

	#binary(operator: string, left: Evaluate, right: Evaluate): Evaluate {
		const { runtime } = this;
		const order = () => compare(left(), right(), runtime.format());
		switch (operator) {
			case '+':
				return () => toNumber(left()) + toNumber(right());
			case '-':
				return () => toNumber(left()) - toNumber(right());
			case '*':
				return () => toNumber(left()) * toNumber(right());
			case '/':
			case '%':
				return () => {
					const [a, b] = [toNumber(left()), toNumber(right())];
					if (b === 0) throw new AwkError(`division by zero${operator === '%' ? ' in %' : ''}`);
					return operator === '/' ? a / b : a % b;
				};
			case '^':
				return () => toNumber(left()) ** toNumber(right());
			case '<':
				return () => (order() < 0 ? 1 : 0);
			case '<=':
				return () => (order() <= 0 ? 1 : 0);
			case '>':
				return () => (order() > 0 ? 1 : 0);
			case '>=':
				return () => (order() >= 0 ? 1 : 0);
			case '==':
				return () => (order() === 0 ? 1 : 0);
			default:
				return () => (order() !== 0 ? 1 : 0);
		}
	}

	#pattern(node: Expression): () => RegExp {
		const inner = node.type === 'group' && node.items.length === 1 ? node.items[0] : node;
		if (inner?.type === 'regexp') {
			const pattern = awkPattern(inner.source);
			return () => pattern;
		}
		const value = this.expression(node);
		return () => awkPattern(this.runtime.text(value()));
	}

	#argument(node: Expression): Argument {
		const value =
			node.type === 'group' && node.items.length > 1 ? () => undefined : this.#lazy(() => this.expression(node));
		const target = node.type === 'variable' || node.type === 'element' || node.type === 'field' ? node : null;
		const assign = target ? this.#assigner(target) : () => undefined;
		const separator = node.type === 'regexp' ? awkPattern(node.source) : null;
		return {
			value,
			array: node.type === 'variable' ? this.#array(node.name) : () => new Map(),
			pattern: this.#pattern(node),
			separator: () => separator ?? this.runtime.text(value()),
			assign
		};
	}

	#lazy(make: () => Evaluate): Evaluate {
		const evaluate = make();
		return () => evaluate();
	}

	#builtin(name: string, nodes: readonly Expression[]): Evaluate {
		const { runtime } = this;
		const [first] = nodes;
		if (name === 'length' && first?.type === 'variable') {
			const parameter = this.#parameters.indexOf(first.name);
			const value = this.#variable(first.name);
			return () => {
				const array = parameter >= 0 ? this.#frame[parameter] : runtime.arrays.get(first.name);
				return array instanceof Map ? array.size : [...runtime.text(value())].length;
			};
		}
		const run = FUNCTIONS[name];
		if (!run) throw new AwkError(`function ${name} never defined`);
		const args = nodes.map((node) => this.#argument(node));
		return () => run(runtime, args);
	}

	#call(name: string, nodes: readonly Expression[]): Evaluate {
		const procedure = this.#procedures.get(name);
		if (!procedure) throw new AwkError(`function ${name} never defined`);
		const args = nodes.map((node, index) =>
			procedure.arrays.has(index) && node.type === 'variable' ? this.#array(node.name) : this.expression(node)
		);
		return () => {
			const frame: Local[] = args.map((argument) => argument());
			while (frame.length < procedure.parameters.length) frame.push(undefined);
			const before = this.#frame;
			if (++this.#depth > 5000) throw new AwkError(`function ${name}: too many calls inside each other`);
			this.#frame = frame;
			this.#returned = undefined;
			try {
				procedure.run();
				const result = this.#returned;
				this.#returned = undefined;
				return result;
			} finally {
				this.#frame = before;
				this.#depth--;
			}
		};
	}

	#getline(node: Extract<Expression, { type: 'getline' }>): Evaluate {
		const { runtime } = this;
		const assign = node.target ? this.#assigner(node.target) : null;
		const source = node.source ? this.expression(node.source) : null;
		return () => {
			const piece =
				node.from === 'input' || !source
					? this.nextRecord()
					: runtime.files.read(
							node.from === 'file' ? 'file' : 'command',
							runtime.text(source()),
							runtime.text(runtime.get('RS'))
						);
			if (piece === false) return -1;
			if (piece === null) return 0;
			if (assign) assign(fromInput(piece));
			else runtime.record.set(piece);
			if (node.from !== 'file') runtime.set('NR', toNumber(runtime.get('NR')) + 1);
			if (node.from === 'input') runtime.set('FNR', toNumber(runtime.get('FNR')) + 1);
			return 1;
		};
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
