import { AwkError } from './faults.ts';
import type { Argument, Builtin } from './builtin.ts';
import { BUILTINS } from './functions.ts';
import type { ArrayNode, Expression, NodeOf, Target } from './nodes.ts';
import { awkPattern } from './regexps.ts';
import type { Runtime } from './runtime.ts';
import { refuseFile, setElement } from './elements.ts';
import { RedirectionFault } from './files.ts';
import type { Evaluate, Frame, Procedure } from './frames.ts';
import { arithmetic, COMPARISONS, logical, unary } from './operators.ts';
import type { Piece } from './reader.ts';
import { AwkArray, type Cell, fromInput, isText, isTrue, RegexValue, toNumber, Untyped, type Value } from './values.ts';

const MOST_CALLS = 5_000;

/** Compiles expressions into closures over a runtime. */
export class ExpressionCompiler {
	protected readonly procedures = new Map<string, Procedure>();
	protected frame: Frame = { cells: [], names: [], origins: [], caller: null };
	protected returned: Value;
	/** Names of the parameters of the function being compiled. */
	protected parameters: readonly string[] = [];
	protected depth = 0;

	constructor(
		protected readonly runtime: Runtime,
		/** Returns the next record of the main input, for a bare `getline`. */
		private readonly nextRecord: () => Piece | null
	) {}

	condition(node: Expression): () => boolean {
		const value = this.expression(node);
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
			case 'regexp':
				return this.regexp(node);
			case 'group':
				return this.group(node);
			case 'variable':
				return this.variable(node.name);
			case 'element':
				return this.element(node);
			case 'field': {
				const index = this.expression(node.index);
				return () => {
					const at = Math.trunc(toNumber(index()));
					const value = runtime.record.get(at);
					if (runtime.lint && (value === null || value === undefined))
						runtime.warn(`reference to uninitialized field \`$${at}'`);
					return value;
				};
			}
			case 'assign':
				return this.assignment(node);
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
				return logical(node.type, this.condition(node.left), this.condition(node.right));
			case 'match': {
				const value = this.expression(node.left);
				const pattern = this.pattern(node.right);
				return () => (pattern().test(runtime.text(value())) !== node.negated ? 1 : 0);
			}
			case 'in': {
				const key = this.key(node.subscript);
				const array = this.array(node.array);
				return () => {
					const at = key();
					return array().has(at) ? 1 : 0;
				};
			}
			case 'conditional': {
				const test = this.condition(node.test);
				const [yes, no] = [this.expression(node.yes), this.expression(node.no)];
				return () => (test() ? yes() : no());
			}
			case 'builtin':
				return this.builtin(node);
			case 'call':
				return this.call(node);
			case 'getline':
				return this.getline(node);
		}
	}

	protected regexp({ source, isValue }: NodeOf<'regexp'>): Evaluate {
		const { runtime } = this;
		if (isValue) {
			const value = new RegexValue(source);
			return () => value;
		}
		const pattern = this.constantPattern(source);
		return () => (pattern().test(runtime.record.text) ? 1 : 0);
	}

	/** Constant pattern of the program; case sensitivity may change while it runs. */
	protected constantPattern(source: string): () => RegExp {
		const { runtime } = this;
		const exact = awkPattern(source);
		return () => (runtime.ignoreCase ? awkPattern(source, true) : exact);
	}

	/** Several values in parentheses form the key of an element. */
	protected group({ items }: NodeOf<'group'>): Evaluate {
		const [only] = items;
		if (items.length === 1 && only) return this.expression(only);
		return this.key(items);
	}

	/** Reading an element creates it. */
	private element(node: NodeOf<'element'>): Evaluate {
		const key = this.key(node.subscript);
		const array = this.array(node.array);
		return () => {
			const at = key();
			const items = array();
			const value = items.take(at);
			if (typeof value === 'string' || typeof value === 'number') return value;
			if (value instanceof AwkArray) throw new AwkError(`attempt to use array \`${value.label}' in a scalar context`);
			return value ?? null;
		};
	}

	private concatenation(left: Evaluate, right: Evaluate): Evaluate {
		const { runtime } = this;
		return () => {
			const first = runtime.text(left());
			return first + runtime.text(right());
		};
	}

	private step({ target, by, before: isPrefix }: NodeOf<'step'>): Evaluate {
		const change = this.changer(target);
		return isPrefix
			? () => change((value) => toNumber(value) + by)
			: () => {
					let before = 0;
					change((value) => (before = toNumber(value)) + by);
					return before;
				};
	}

	protected variable(name: string): Evaluate {
		const { runtime } = this;
		const parameter = this.parameters.indexOf(name);
		if (parameter >= 0) return this.parameter(parameter);
		if (name === 'NF') return () => runtime.record.count;
		const slot = runtime.slot(name);
		const { globals } = runtime;
		return () => {
			const cell = globals[slot];
			if (typeof cell === 'string' || typeof cell === 'number') return cell;
			if (runtime.lint && (cell === undefined || cell === null))
				runtime.warn(`reference to uninitialized variable \`${name}'`);
			if (cell === undefined) return (globals[slot] = null);
			if (cell instanceof AwkArray) throw new AwkError(`attempt to use array \`${name}' in a scalar context`);
			return cell as Value;
		};
	}

	private parameter(index: number): Evaluate {
		return () => {
			const cell = this.frame.cells[index];
			if (typeof cell === 'string' || typeof cell === 'number') return cell;
			if (cell instanceof AwkArray || (cell instanceof Untyped && cell.isArrayInScalarContext()))
				throw new AwkError(`attempt to use array \`${this.parameterLabel(index)}' in a scalar context`);
			if (this.runtime.lint && (cell === undefined || cell === null || cell instanceof Untyped))
				this.runtime.warn(`reference to uninitialized argument \`${this.frame.names[index]}'`);
			if (cell === undefined || cell instanceof Untyped) return (this.frame.cells[index] = null);
			return cell;
		};
	}

	/** Name of a parameter including the names of its argument: `c (from b, from a)`. */
	protected parameterLabel(index: number, frame: Frame | null = this.frame): string {
		const [own = '', ...origins] = this.originsOf(index, frame);
		return origins.length ? `${own} (${origins.map((name) => `from ${name}`).join(', ')})` : own;
	}

	private originsOf(index: number, frame: Frame | null): string[] {
		if (!frame) return [];
		const name = frame.names[index] ?? '';
		const origin = frame.origins[index];
		if (origin === null || origin === undefined) return [name];
		const outer = frame.caller?.names.indexOf(origin) ?? -1;
		return [name, ...(outer >= 0 ? this.originsOf(outer, frame.caller) : [origin])];
	}

	protected array(node: ArrayNode): () => AwkArray {
		if (node.type === 'element') return this.innerArray(node);
		const { runtime } = this;
		const { name } = node;
		const parameter = this.parameters.indexOf(name);
		if (parameter < 0) {
			const slot = runtime.slot(name);
			const { globals } = runtime;
			return () => {
				const cell = globals[slot];
				return cell instanceof AwkArray ? cell : runtime.array(name);
			};
		}
		return () => {
			const cell = this.frame.cells[parameter];
			if (cell instanceof AwkArray) return cell;
			const array = cell === undefined ? new AwkArray(name) : cell instanceof Untyped ? cell.asArray() : null;
			if (!array) throw new AwkError(`attempt to use scalar parameter \`${name}' as an array`);
			return (this.frame.cells[parameter] = array);
		};
	}

	private innerArray(node: NodeOf<'element'>): () => AwkArray {
		const outer = this.array(node.array);
		const key = this.key(node.subscript);
		return () => {
			if (this.runtime.mode.posix || this.runtime.mode.traditional)
				throw new AwkError('multidimensional arrays are a gawk extension');
			const at = key();
			const items = outer();
			const cell = items.take(at);
			if (cell instanceof AwkArray) return cell;
			if (cell !== undefined) throw new AwkError(`attempt to use scalar \`${items.labelOf(at)}' as an array`);
			const array = new AwkArray(items.labelOf(at));
			items.set(at, array);
			return array;
		};
	}

	protected key(subscript: readonly Expression[]): () => string {
		const { runtime } = this;
		const nodes = subscript.flatMap((part) => (part.type === 'group' ? part.items : [part]));
		const parts = nodes.map((part) => this.expression(part));
		const [only] = parts;
		if (parts.length === 1 && only) return () => runtime.key(only());
		return () => parts.map((part) => runtime.key(part())).join(runtime.subscript);
	}

	/** Compiles an assignment to a target; subscripts are evaluated each time. */
	protected assigner(target: Target): (value: Value) => void {
		const { runtime } = this;
		if (target.type === 'field') {
			const index = this.expression(target.index);
			return (value) => runtime.record.put(Math.trunc(toNumber(index())), value);
		}
		if (target.type === 'element') {
			const key = this.key(target.subscript);
			const array = this.array(target.array);
			const isArguments = target.array.type === 'variable' && target.array.name === 'ARGV';
			return (value) => {
				const at = key();
				if (isArguments && runtime.mode.sandbox) refuseFile(runtime.text(value));
				setElement(array(), at, value);
			};
		}
		return this.variableAssigner(target.name);
	}

	protected variableAssigner(name: string): (value: Value) => void {
		const { runtime } = this;
		const parameter = this.parameters.indexOf(name);
		if (parameter >= 0) {
			return (value) => {
				const cell = this.frame.cells[parameter];
				if (cell instanceof AwkArray || (cell instanceof Untyped && cell.isArrayInScalarContext()))
					throw new AwkError(`attempt to use array \`${this.parameterLabel(parameter)}' in a scalar context`);
				this.frame.cells[parameter] = value;
			};
		}
		if (runtime.isSpecial(name)) return (value) => runtime.set(name, value);
		const slot = runtime.slot(name);
		const { globals } = runtime;
		return (value) => {
			if (globals[slot] instanceof AwkArray) throw new AwkError(`attempt to use array \`${name}' in a scalar context`);
			globals[slot] = value;
		};
	}

	/** Compiles a function that reads a target, computes and writes back, evaluating subscripts only once. */
	protected changer(target: Target): (compute: (value: Value) => Value) => Value {
		const { runtime } = this;
		if (target.type === 'field') {
			const index = this.expression(target.index);
			return (compute) => {
				const at = Math.trunc(toNumber(index()));
				const result = compute(runtime.record.get(at));
				runtime.record.put(at, result);
				return result;
			};
		}
		if (target.type === 'element') {
			const key = this.key(target.subscript);
			const array = this.array(target.array);
			return (compute) => {
				const at = key();
				const items = array();
				const value = items.take(at);
				if (value instanceof AwkArray) throw new AwkError(`attempt to use array \`${value.label}' in a scalar context`);
				const result = compute(value);
				setElement(items, at, result);
				return result;
			};
		}
		const [read, write] = [this.variable(target.name), this.variableAssigner(target.name)];
		return (compute) => {
			const result = compute(read());
			write(result);
			return result;
		};
	}

	protected assignment({ operator, target, value: node }: NodeOf<'assign'>): Evaluate {
		const value = this.expression(node);
		if (operator === '=') {
			const assign = this.assigner(target);
			return () => {
				const result = value() ?? null;
				assign(result);
				return result;
			};
		}
		const change = this.changer(target);
		const compute = arithmetic(operator.slice(0, -1));
		// The added value may change the target itself: evaluate it first.
		if (target.type !== 'element')
			return () => {
				const operand = toNumber(value());
				return change((before) => compute(toNumber(before), operand));
			};
		return () => change((before) => compute(toNumber(before), toNumber(value())));
	}

	protected binary(operator: string, left: Evaluate, right: Evaluate): Evaluate {
		if (!COMPARISONS.has(operator)) {
			const compute = arithmetic(operator);
			const { runtime } = this;
			return () => {
				const first = left();
				const second = right();
				if (runtime.lint && operator === '+' && isText(first) && isText(second))
					runtime.warn("operator `+' used on two string values");
				return compute(toNumber(first), toNumber(second));
			};
		}
		const holds = COMPARISONS.get(operator)!;
		const { runtime } = this;
		return () => {
			const first = left();
			const second = right();
			if (typeof first === 'number' && typeof second === 'number') return holds(first, second) ? 1 : 0;
			if (!isText(first) && !isText(second)) return holds(toNumber(first), toNumber(second)) ? 1 : 0;
			const [a, b] = [runtime.text(first), runtime.text(second)];
			return (runtime.ignoreCase ? holds(a.toLowerCase(), b.toLowerCase()) : holds(a, b)) ? 1 : 0;
		};
	}

	protected pattern(node: Expression): () => RegExp {
		const inner = node.type === 'group' && node.items.length === 1 ? node.items[0] : node;
		if (inner?.type === 'regexp') return this.constantPattern(inner.source);
		const value = this.expression(node);
		const { runtime } = this;
		return () => awkPattern(runtime.text(value()), runtime.ignoreCase);
	}

	protected argument(node: Expression): Argument {
		const { runtime } = this;
		const value = this.expression(node);
		const isPlace = node.type === 'variable' || node.type === 'element' || node.type === 'field';
		const assign = isPlace ? this.assigner(node) : null;
		const inner = node.type === 'group' && node.items.length === 1 ? node.items[0]! : node;
		const pattern = this.pattern(node);
		return {
			value,
			isRegexp: inner.type === 'regexp',
			isVariable: node.type === 'variable',
			place: node.type === 'variable' || node.type === 'element' ? this.place(node) : null,
			array: node.type === 'variable' || node.type === 'element' ? this.array(node) : null,
			pattern,
			separator: () => {
				if (inner.type === 'regexp') return pattern();
				const now = value();
				return now instanceof RegexValue ? runtime.pattern(now) : runtime.text(now);
			},
			assign
		};
	}

	/** Compiles a function that returns what a variable or element contains, without using it. */
	protected place(node: ArrayNode): () => Value | AwkArray {
		if (node.type === 'variable') {
			const parameter = this.parameters.indexOf(node.name);
			const slot = parameter < 0 ? this.runtime.slot(node.name) : -1;
			if (node.name === 'NF') return () => this.runtime.record.count;
			return () => {
				const cell = parameter < 0 ? this.runtime.globals[slot] : this.frame.cells[parameter];
				return cell instanceof Untyped ? cell.current : cell;
			};
		}
		const array = this.array(node.array);
		const key = this.key(node.subscript);
		return () => {
			const at = key();
			return array().take(at);
		};
	}

	protected builtin({ name, args: nodes, at }: NodeOf<'builtin'>): Evaluate {
		const { runtime } = this;
		const found: Builtin | undefined = BUILTINS[name];
		if (!found) throw new AwkError(`function \`${name}' not defined`);
		const args = nodes.map((node) => this.argument(node));
		const services = this.services();
		return () => {
			runtime.at = at;
			return found(runtime, args, services);
		};
	}

	/** Services of the program for functions of the language. */
	protected services() {
		return {
			call: (name: string, args: (Value | AwkArray)[]) => this.callByName(name, args),
			isFunction: (name: string) => this.procedures.has(name)
		};
	}

	protected callByName(name: string, args: (Value | AwkArray)[]): Value {
		const procedure = this.procedures.get(name);
		if (!procedure) throw new AwkError(`function \`${name}' not defined`);
		return this.enter(procedure, [...args], []);
	}

	/** Calls a function with its arguments. */
	protected enter(procedure: Procedure, cells: Cell[], origins: readonly (string | null)[]): Value {
		const { runtime } = this;
		const [before, at] = [this.frame, runtime.at];
		if (++this.depth > MOST_CALLS) throw new AwkError(`function ${procedure.name}: too many calls inside each other`);
		while (cells.length < procedure.parameters.length) cells.push(undefined);
		this.frame = { cells, names: procedure.parameters, origins, caller: before };
		this.returned = null;
		try {
			procedure.run();
			const result = this.returned;
			this.returned = null;
			runtime.at = at;
			return result;
		} finally {
			this.frame = before;
			this.depth--;
		}
	}

	protected call(node: NodeOf<'call'>): Evaluate {
		const args = node.args.map((one) => this.passed(one));
		let hasWarned = false;
		const origins = node.args.map((one) => (one.type === 'variable' ? one.name : null));
		if (node.indirect) return this.indirectCall(node, args, origins);
		const procedure = this.procedures.get(node.name);
		return () => {
			if (!procedure) throw new AwkError(`function \`${node.name}' not defined`);
			this.runtime.at = node.at;
			const cells = args.map((one) => one());
			if (cells.length > procedure.parameters.length) {
				if (!hasWarned) this.runtime.warn(`function \`${node.name}' called with more arguments than declared`);
				hasWarned = true;
				cells.length = procedure.parameters.length;
			}
			return this.enter(procedure, cells, origins);
		};
	}

	private indirectCall(node: NodeOf<'call'>, args: (() => Cell)[], origins: (string | null)[]): Evaluate {
		const name = this.variable(node.name);
		const builtinArgs = node.args.map((one) => this.argument(one));
		return () => {
			const called = this.runtime.text(name());
			this.runtime.at = node.at;
			const procedure = this.procedures.get(called);
			if (procedure)
				return this.enter(
					procedure,
					args.map((one) => one()),
					origins
				);
			const found = BUILTINS[called.replace(/^awk::/, '')];
			if (!found) throw new AwkError(`function called indirectly through \`${node.name}' does not exist`);
			if ((called === 'sub' || called === 'gsub') && node.args.length > 2)
				throw new AwkError(`${called}: can be called indirectly only with two arguments`);
			return found(this.runtime, builtinArgs, this.services());
		};
	}

	/** Compiles an argument for a function: an untyped variable may become an array there. */
	protected passed(node: Expression): () => Cell {
		if (node.type !== 'variable' && node.type !== 'element') return this.expression(node);
		if (node.type === 'variable') return this.passedVariable(node.name);
		const array = this.array(node.array);
		const key = this.key(node.subscript);
		return () => {
			const items = array();
			const at = key();
			const cell = items.take(at);
			if (cell !== undefined) return cell;
			return new Untyped(
				() => items.get(at),
				(value) => void items.set(at, value),
				items.labelOf(at)
			);
		};
	}

	private passedVariable(name: string): () => Cell {
		const { runtime } = this;
		const parameter = this.parameters.indexOf(name);
		if (name === 'NF' && parameter < 0) return this.variable(name);
		const slot = parameter < 0 ? runtime.slot(name) : parameter;
		return () => {
			const cells = parameter < 0 ? runtime.globals : this.frame.cells;
			const cell = cells[slot] as Cell;
			if (cell !== undefined && !(cell instanceof Untyped)) return cell;
			const now = cell?.current;
			if (now instanceof AwkArray) return (cells[slot] = now);
			if (now !== undefined) return null;
			return new Untyped(
				() => cells[slot],
				(value) => {
					const held = cells[slot];
					if (held instanceof Untyped) held.set(value);
					cells[slot] = value;
				},
				cell?.label ?? name
			);
		};
	}

	/** Compiles the target of `getline`, evaluated each time before it reads. */
	protected readPlace(target: Target): () => (value: Value) => void {
		if (target.type !== 'element') {
			const assign = this.assigner(target);
			return () => assign;
		}
		const key = this.key(target.subscript);
		const array = this.array(target.array);
		return () => {
			const at = key();
			const items = array();
			return (value) => setElement(items, at, value);
		};
	}

	protected getline(node: NodeOf<'getline'>): Evaluate {
		const { runtime } = this;
		const place = node.target ? this.readPlace(node.target) : null;
		const source = node.source ? this.expression(node.source) : null;
		const { from } = node;
		const read = (): Piece | null => {
			if (from === 'input' || !source) return this.nextRecord();
			const name = runtime.text(source());
			if (from !== 'file' && runtime.mode.sandbox) throw new AwkError('redirection not allowed in sandbox mode');
			return runtime.files.read(from, name, runtime.ending());
		};
		return () => {
			// Evaluated before reading the record: the subscript may have side effects.
			const assign = place?.();
			let piece: Piece | null;
			try {
				piece = read();
			} catch (error) {
				if (!(error instanceof RedirectionFault)) throw error;
				runtime.set('ERRNO', error.message);
				return -1;
			}
			if (piece === null) return 0;
			runtime.set('RT', piece.terminator);
			if (from !== 'file') runtime.set('NR', toNumber(runtime.get('NR')) + 1);
			if (from === 'input') runtime.set('FNR', toNumber(runtime.get('FNR')) + 1);
			if (assign) assign(fromInput(piece.text));
			else runtime.record.set(piece.text);
			return 1;
		};
	}
}
