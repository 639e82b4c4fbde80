import { AwkError } from './faults.ts';
import { ExpressionCompiler } from './expressions.ts';
import type { Execute } from './frames.ts';
import { RedirectionFault } from './files.ts';
import { sprintf } from './format.ts';
import type { Expression, Program, Statement, StatementOf } from './nodes.ts';
import type { Piece } from './reader.ts';
import { ExitJump, NextJump, type Runtime } from './runtime.ts';
import { sortEntries, usualOrder } from './sorting.ts';
import { formatFaults } from './functions.ts';
import { AwkArray, isText, toNumber, type Value } from './values.ts';

/** Compiles the syntax tree to closures over a runtime. */
export class Compiler extends ExpressionCompiler {
	#rounds = 0;

	constructor(runtime: Runtime, program: Program, nextRecord: () => Piece | null) {
		super(runtime, nextRecord);
		for (const [name, { parameters }] of program.functions)
			this.procedures.set(name, { name, parameters, run: () => undefined });
		for (const [name, definition] of program.functions) {
			this.parameters = definition.parameters;
			this.procedures.get(name)!.run = this.statement(definition.body);
		}
		this.parameters = [];
	}

	/** Compiles a statement; it records its position before it runs. */
	statement(node: Statement): Execute {
		const run = this.#statement(node);
		if (node.type === 'block') return run;
		const { runtime } = this;
		const { at } = node;
		return () => {
			runtime.at = at;
			return run();
		};
	}

	#statement(node: Statement): Execute {
		switch (node.type) {
			case 'block':
				return this.#block(node.body);
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
			case 'each':
				return this.#each(node);
			case 'switch':
				return this.#switch(node);
			case 'delete':
				return this.#delete(node);
			case 'exit': {
				const value = node.value ? this.expression(node.value) : null;
				return () => {
					throw new ExitJump(value ? toNumber(value()) : null);
				};
			}
			case 'return': {
				const value = node.value ? this.expression(node.value) : () => null;
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
		}
	}

	#block(nodes: readonly Statement[]): Execute {
		const body = nodes.map((one) => this.statement(one));
		const [only] = body;
		if (body.length === 1 && only) return only;
		return () => {
			for (const run of body) {
				const end = run();
				if (end) return end;
			}
			return undefined;
		};
	}

	#each(node: StatementOf<'each'>): Execute {
		const array = this.array(node.array);
		const assign = this.variableAssigner(node.variable);
		const body = this.statement(node.body);
		const { runtime } = this;
		return () => {
			const items = array();
			const order = runtime.array('PROCINFO').get('sorted_in');
			const keys =
				order === undefined || order instanceof AwkArray
					? usualOrder([...items.keys()])
					: this.#sorted(items, runtime.text(order)).map(([key]) => key);
			for (const key of keys) {
				if ((++this.#rounds & 0xfff) === 0) runtime.check();
				assign(key);
				const end = body();
				if (end === 'break') break;
				if (end === 'return') return end;
			}
			return undefined;
		};
	}

	#sorted(items: AwkArray, order: string) {
		const { call, isFunction } = this.services();
		return sortEntries(this.runtime, [...items], order, call, isFunction);
	}

	#switch(node: StatementOf<'switch'>): Execute {
		const value = this.expression(node.value);
		const cases = node.cases.map((one) => ({
			matches: one.value ? this.#caseTest(one.value) : null,
			run: this.#block(one.body)
		}));
		return () => {
			const now = value();
			let start = cases.findIndex(({ matches }) => matches?.(now) === true);
			if (start < 0) start = cases.findIndex(({ matches }) => matches === null);
			if (start < 0) return undefined;
			for (const { run } of cases.slice(start)) {
				const end = run();
				if (end === 'break') return undefined;
				if (end) return end;
			}
			return undefined;
		};
	}

	#caseTest(node: Expression): (value: Value) => boolean {
		const { runtime } = this;
		if (node.type === 'regexp') {
			const pattern = this.constantPattern(node.source);
			return (value) => pattern().test(runtime.text(value));
		}
		const expected = this.expression(node)();
		if (typeof expected === 'number') return (value) => !isText(value) && toNumber(value) === expected;
		return (value) => typeof value !== 'number' && runtime.text(value) === expected;
	}

	#delete(node: StatementOf<'delete'>): Execute {
		const { name } = node.array.type === 'variable' ? node.array : { name: '' };
		if (name === 'SYMTAB' || name === 'FUNCTAB')
			return () => {
				throw new AwkError(`\`delete' is not allowed with ${name}`);
			};
		const key = node.subscript ? this.key(node.subscript) : null;
		const array = this.array(node.array);
		const { runtime } = this;
		return () => {
			if (key) {
				const at = key();
				const items = array();
				if (!items.delete(at) && runtime.lint) runtime.warn(`delete: index \`${at}' not in array \`${items.label}'`);
			} else array().clear();
			return undefined;
		};
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
		const { runtime } = this;
		return () => {
			const here = runtime.at;
			begin?.();
			if (first && !more()) return undefined;
			do {
				if ((++this.#rounds & 0xfff) === 0) runtime.check();
				const end = run();
				if (end === 'break') break;
				if (end === 'return') return end;
				after?.();
				runtime.at = here;
			} while (more());
			return undefined;
		};
	}

	#print(node: StatementOf<'print'>): Execute {
		const { runtime } = this;
		const text = this.#printed(node);
		if (!node.redirect) return () => void runtime.files.print(text());
		const { kind } = node.redirect;
		const to = this.expression(node.redirect.to);
		return () => {
			const printed = text();
			const name = runtime.text(to());
			if (runtime.mode.sandbox) throw new AwkError('redirection not allowed in sandbox mode');
			if (name === '') throw new AwkError(`expression for \`${kind}' redirection has null string value`);
			try {
				runtime.files.write(kind, name, printed, node.format ? 'printf' : 'print');
			} catch (error) {
				if (!(error instanceof RedirectionFault)) throw error;
				runtime.set('ERRNO', error.message);
				if (runtime.isNonFatal(name)) return undefined;
				throw new AwkError(`cannot redirect to \`${name}': ${error.message}`);
			}
			return undefined;
		};
	}

	#printed(node: StatementOf<'print'>): () => string {
		const { runtime } = this;
		if (node.args.length === 0) {
			// POSIX does not define what `printf` without a format prints: nothing here.
			if (node.format) return () => '';
			return () => {
				const { text } = runtime.record;
				if (runtime.lint && runtime.record.isUnset) runtime.warn("reference to uninitialized field `$0'");
				return text + runtime.terminator;
			};
		}
		const args = node.args.map((argument) => this.expression(argument));
		if (node.format) {
			const faults = formatFaults(runtime);
			return () => {
				const [format, ...values] = args.map((value) => value());
				return sprintf(runtime.text(format), values, runtime.numberFormat, faults);
			};
		}
		const [only] = args;
		if (args.length === 1 && only) return () => runtime.shown(only()) + runtime.terminator;
		return () => args.map((value) => runtime.shown(value())).join(runtime.joiner) + runtime.terminator;
	}
}
