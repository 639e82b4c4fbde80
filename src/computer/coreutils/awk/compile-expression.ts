import { FUNCTIONS, type Argument } from './functions.ts';
import type { Expression, Target } from './nodes.ts';
import { awkPattern } from './record.ts';
import type { Runtime } from './runtime.ts';
import { AwkError } from './tokens.ts';
import { type AwkArray, compare, fromInput, isTrue, toNumber, type Value } from './values.ts';

export type Evaluate = () => Value;
/** Completion of a statement: normal, out of a loop, or out of the function. */
export type Execute = () => 'break' | 'continue' | 'return' | undefined;
export type Local = Value | AwkArray;

export interface Procedure {
	parameters: string[];
	arrays: Set<number>;
	run: Execute;
}

/** Turns expressions into closures over a runtime. */
type NodeOf<Type extends Expression['type']> = Extract<Expression, { type: Type }>;

export class ExpressionCompiler {
	protected procedures = new Map<string, Procedure>();
	protected frame: Local[] = [];
	protected returned: Value;
	/** Names of the parameters of the function being compiled. */
	protected parameters: readonly string[] = [];
	protected depth = 0;

	constructor(
		protected readonly runtime: Runtime,
		/** The next record of the main input, for a bare `getline`. */
		private readonly nextRecord: () => string | null
	) {}

	condition(expression: Expression): () => boolean {
		const value = this.expression(expression);
		return () => isTrue(value());
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
				return this.variable(node.name);
			case 'element':
				return this.element(node);
			case 'field': {
				const index = this.expression(node.index);
				return () => runtime.record.get(Math.trunc(toNumber(index())));
			}
			case 'assign':
				return this.assignment(node.operator, node.target, this.expression(node.value));
			case 'step':
				return this.step(node);
			case 'unary':
				return unary(node.operator, this.expression(node.operand));
			case 'binary':
				return this.binary(node.operator, this.expression(node.left), this.expression(node.right));
			case 'concat':
				return this.concatenation(this.expression(node.left), this.expression(node.right));
			case 'and':
			case 'or':
				return this.logical(node.type, this.condition(node.left), this.condition(node.right));
			case 'match': {
				const value = this.expression(node.left);
				const pattern = this.pattern(node.right);
				return () => (pattern().test(runtime.text(value())) !== node.negated ? 1 : 0);
			}
			case 'in': {
				const array = this.array(node.name);
				const key = this.key(node.subscript);
				return () => (array().has(key()) ? 1 : 0);
			}
			case 'conditional':
				return this.conditional(node);
			case 'builtin':
				return this.builtin(node.name, node.args);
			case 'call':
				return this.call(node.name, node.args);
			case 'getline':
				return this.getline(node);
		}
	}

	/** Reading an element creates it. */
	private element({ name, subscript }: NodeOf<'element'>): Evaluate {
		const array = this.array(name);
		const key = this.key(subscript);
		return () => {
			const items = array();
			const at = key();
			const value = items.get(at);
			if (value === undefined && !items.has(at)) items.set(at, undefined);
			return value;
		};
	}

	private conditional(node: NodeOf<'conditional'>): Evaluate {
		const test = this.condition(node.test);
		const [yes, no] = [this.expression(node.yes), this.expression(node.no)];
		return () => (test() ? yes() : no());
	}

	private concatenation(left: Evaluate, right: Evaluate): Evaluate {
		const { runtime } = this;
		return () => {
			const first = runtime.text(left());
			return first + runtime.text(right());
		};
	}

	private logical(operator: 'and' | 'or', left: () => boolean, right: () => boolean): Evaluate {
		if (operator === 'and') return () => (left() && right() ? 1 : 0);
		return () => (left() || right() ? 1 : 0);
	}

	private step({ target, by, before: isPrefix }: NodeOf<'step'>): Evaluate {
		const value = this.expression(target);
		const assign = this.assigner(target);
		return () => {
			const before = toNumber(value());
			assign(before + by);
			return isPrefix ? before + by : before;
		};
	}

	protected variable(name: string): Evaluate {
		const { runtime } = this;
		const parameter = this.parameters.indexOf(name);
		if (parameter >= 0) {
			return () => {
				const value = this.frame[parameter];
				if (value instanceof Map) throw new AwkError(`attempt to use array ${name} in a scalar context`);
				return value;
			};
		}
		if (name === 'NF') return () => runtime.record.count;
		const slot = runtime.slot(name);
		const { globals } = runtime;
		return () => globals[slot];
	}

	protected array(name: string): () => AwkArray {
		const parameter = this.parameters.indexOf(name);
		if (parameter < 0) {
			const array = this.runtime.array(name);
			return () => array;
		}
		return () => {
			const value = this.frame[parameter];
			if (value instanceof Map) return value;
			const array: AwkArray = new Map();
			this.frame[parameter] = array;
			return array;
		};
	}

	protected key(subscript: readonly Expression[]): () => string {
		const { runtime } = this;
		const parts = subscript
			.flatMap((part) => (part.type === 'group' ? part.items : [part]))
			.map((part) => this.expression(part));
		const [only] = parts;
		if (parts.length === 1 && only) return () => runtime.text(only());
		return () => parts.map((part) => runtime.text(part())).join(runtime.text(runtime.get('SUBSEP')));
	}

	protected assigner(target: Target): (value: Value) => void {
		const { runtime } = this;
		if (target.type === 'field') {
			const index = this.expression(target.index);
			return (value) => runtime.record.put(Math.trunc(toNumber(index())), value);
		}
		if (target.type === 'element') {
			const array = this.array(target.name);
			const key = this.key(target.subscript);
			return (value) => void array().set(key(), value);
		}
		const { name } = target;
		const parameter = this.parameters.indexOf(name);
		if (parameter >= 0) return (value) => void (this.frame[parameter] = value);
		if (name === 'NF') return (value) => runtime.set('NF', value);
		const slot = runtime.slot(name);
		return (value) => void (runtime.globals[slot] = value);
	}

	protected assignment(operator: string, target: Target, value: Evaluate): Evaluate {
		const assign = this.assigner(target);
		if (operator === '=') {
			return () => {
				const result = value();
				assign(result);
				return result;
			};
		}
		const compute = this.binary(operator.slice(0, -1), this.expression(target), value);
		return () => {
			const result = compute();
			assign(result);
			return result;
		};
	}

	protected binary(operator: string, left: Evaluate, right: Evaluate): Evaluate {
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

	protected pattern(node: Expression): () => RegExp {
		const inner = node.type === 'group' && node.items.length === 1 ? node.items[0] : node;
		if (inner?.type === 'regexp') {
			const pattern = awkPattern(inner.source);
			return () => pattern;
		}
		const value = this.expression(node);
		return () => awkPattern(this.runtime.text(value()));
	}

	protected argument(node: Expression): Argument {
		const value =
			node.type === 'group' && node.items.length > 1 ? () => undefined : this.lazy(() => this.expression(node));
		const target = node.type === 'variable' || node.type === 'element' || node.type === 'field' ? node : null;
		const assign = target ? this.assigner(target) : () => undefined;
		const separator = node.type === 'regexp' ? awkPattern(node.source) : null;
		return {
			value,
			array: node.type === 'variable' ? this.array(node.name) : () => new Map(),
			pattern: this.pattern(node),
			separator: () => separator ?? this.runtime.text(value()),
			assign
		};
	}

	protected lazy(make: () => Evaluate): Evaluate {
		const evaluate = make();
		return () => evaluate();
	}

	protected builtin(name: string, nodes: readonly Expression[]): Evaluate {
		const { runtime } = this;
		const [first] = nodes;
		if (name === 'length' && first?.type === 'variable') {
			const parameter = this.parameters.indexOf(first.name);
			const value = this.variable(first.name);
			return () => {
				const array = parameter >= 0 ? this.frame[parameter] : runtime.arrays.get(first.name);
				// One that was only handed to a function is no array yet.
				const isArray = array instanceof Map && (array.size > 0 || parameter >= 0 || runtime.text(value()) === '');
				return isArray ? array.size : [...runtime.text(value())].length;
			};
		}
		const run = FUNCTIONS[name];
		if (!run) throw new AwkError(`function ${name} never defined`);
		const args = nodes.map((node) => this.argument(node));
		return () => run(runtime, args);
	}

	protected call(name: string, nodes: readonly Expression[]): Evaluate {
		const procedure = this.procedures.get(name);
		if (!procedure) throw new AwkError(`function ${name} never defined`);
		const args = nodes.map((node, index) =>
			procedure.arrays.has(index) && node.type === 'variable' ? this.array(node.name) : this.expression(node)
		);
		return () => {
			const frame: Local[] = args.map((argument) => argument());
			while (frame.length < procedure.parameters.length) frame.push(undefined);
			const before = this.frame;
			if (++this.depth > 5000) throw new AwkError(`function ${name}: too many calls inside each other`);
			this.frame = frame;
			this.returned = undefined;
			try {
				procedure.run();
				const result = this.returned;
				this.returned = undefined;
				return result;
			} finally {
				this.frame = before;
				this.depth--;
			}
		};
	}

	protected getline(node: Extract<Expression, { type: 'getline' }>): Evaluate {
		const { runtime } = this;
		const assign = node.target ? this.assigner(node.target) : null;
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

function unary(operator: NodeOf<'unary'>['operator'], value: Evaluate): Evaluate {
	if (operator === '!') return () => (isTrue(value()) ? 0 : 1);
	return operator === '-' ? () => -toNumber(value()) : () => toNumber(value());
}
