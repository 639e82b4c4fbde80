import { AwkSyntaxError, placed } from './faults.ts';
import type { Expression, FunctionNode, Program, Statement, StatementOf, SwitchCase } from './nodes.ts';
import { ExpressionParser, type ParseState } from './parse-expression.ts';
import { type Dialect, isBuiltin, isExtension, isReserved, type Source } from './tokens.ts';

/** Loads the source named by `@include`; null if it has been loaded already. @throws AwkSyntaxError */
export type Include = (name: string) => Source | null;

/** Variables that cannot be used as parameters. */
const SPECIAL = new Set(
	(
		'ARGC ARGIND ARGV BINMODE CONVFMT ENVIRON ERRNO FIELDWIDTHS FILENAME FNR FPAT FS IGNORECASE LINT NF NR OFMT OFS ' +
		'ORS PREC PROCINFO RLENGTH ROUNDMODE RS RSTART RT SUBSEP TEXTDOMAIN FUNCTAB SYMTAB'
	).split(' ')
);

/** Parses the sources of an awk program. @throws AwkSyntaxError */
export function parseAwk(sources: readonly Source[], dialect: Dialect, include: Include, lint = false): Program {
	const program: Program = {
		...{
			begin: [],
			end: [],
			beginFile: [],
			endFile: [],
			rules: [],
			functions: new Map(),
			readsInput: false,
			warnings: []
		}
	};
	const state: ParseState = {
		...{ dialect, lint, faults: [], warnings: [], variables: [], readsInput: false },
		...{ escapes: new Set(), functions: new Set(), calls: new Set() }
	};
	for (const source of sources) new AwkParser(source, state, program, include).read();
	for (const { name, at } of state.variables)
		if (state.functions.has(name))
			state.faults.push(
				`${placed(at)}error: function \`${name}' called with space between name and \`(',\nor used as a variable or an array`
			);
	if (dialect === 'posix')
		for (const [name, { parameters }] of program.functions)
			for (const one of parameters)
				if (program.functions.has(one))
					state.faults.push(`error: function \`${name}': cannot use function \`${one}' as a parameter name`);
	if (state.faults.length) throw new AwkSyntaxError(state.faults);
	if (lint) warnOfNames(program, state);
	program.warnings = state.warnings;
	program.readsInput = state.readsInput;
	return program;
}

/** Warns about parameters that shadow variables, and functions that are called but not defined or the reverse. */
function warnOfNames(program: Program, { variables, calls, warnings }: ParseState): void {
	const globals = new Set(variables.map(({ name }) => name));
	for (const { name, parameters, at } of program.functions.values())
		for (const one of parameters)
			if (globals.has(one))
				warnings.push(`${placed(at)}warning: function \`${name}': parameter \`${one}' shadows global variable`);
	for (const name of calls)
		if (!program.functions.has(name)) warnings.push(`warning: function \`${name}' called but never defined`);
	for (const name of program.functions.keys())
		if (!calls.has(name)) warnings.push(`warning: function \`${name}' defined but never called directly`);
}

/** Tells whether an expression has no effect except its value. */
function hasNoEffect(node: Expression): boolean {
	switch (node.type) {
		case 'number':
		case 'string':
		case 'regexp':
		case 'variable':
			return true;
		case 'element':
			return node.subscript.every(hasNoEffect);
		case 'binary':
		case 'concat':
		case 'match':
			return hasNoEffect(node.left) && hasNoEffect(node.right);
		case 'unary':
			return hasNoEffect(node.operand);
		case 'group':
			return node.items.every(hasNoEffect);
		default:
			return false;
	}
}

class AwkParser extends ExpressionParser {
	/** Loops and switches around the current statement. */
	#loops = 0;
	#switches = 0;
	#isInFunction = false;

	constructor(
		source: Source,
		state: ParseState,
		private readonly program: Program,
		private readonly include: Include
	) {
		super(source, state);
	}

	read(): void {
		const { text, file } = this.source;
		if (this.state.lint && file !== null && text !== '' && !text.endsWith('\n'))
			this.state.warnings.push(
				`${placed({ file, line: text.split('\n').length })}warning: source file does not end in newline`
			);
		for (;;) {
			this.separators();
			if (this.token.kind === 'end') return;
			this.#item();
		}
	}

	#item(): void {
		const { program } = this;
		if (this.is('directive')) return this.#directive();
		if (this.accept('word', 'function')) {
			const definition = this.#function();
			program.functions.set(definition.name, definition);
		} else if (this.accept('word', 'BEGIN')) program.begin.push(this.#action());
		else if (this.accept('word', 'END')) program.end.push(this.#action());
		else if (this.accept('word', 'BEGINFILE')) program.beginFile.push(this.#action());
		else if (this.accept('word', 'ENDFILE')) program.endFile.push(this.#action());
		else this.#rule();
	}

	#rule(): void {
		const at = this.position;
		if (this.token.kind === 'word' && this.token.text !== 'getline') this.fail();
		const pattern = this.is('operator', '{') ? null : this.expression();
		let until: Expression | null = null;
		if (this.accept('operator', ',')) {
			this.newlines();
			until = this.expression();
		}
		const action = this.is('operator', '{') ? this.block() : null;
		if (!action && !this.is('newline') && !this.is('operator', ';') && !this.is('end')) this.fail();
		this.program.rules.push({ pattern, until, action, at });
	}

	/** Parses the action of BEGIN and similar patterns, which is required. */
	#action(): Statement {
		if (!this.is('operator', '{')) this.fail();
		return this.block();
	}

	#directive(): void {
		const kind = this.token.text;
		this.at++;
		const { text } = this.token;
		const at = this.position;
		if (!this.accept('string')) this.fail();
		if (kind === 'namespace') this.#enterNamespace(text, at);
		else if (kind === 'load')
			throw new AwkSyntaxError([`${placed(at)}fatal: load_ext: cannot open library \`${text}'`]);
		else {
			const source = this.include(text);
			if (source) new AwkParser(source, this.state, this.program, this.include).read();
		}
		this.endOfStatement();
	}

	#enterNamespace(name: string, at: { file: string | null; line: number }): void {
		if (!/^[A-Za-z_]\w*$/.test(name)) this.error(`namespace name \`${name}' must meet identifier naming rules`, at);
		else if (isReserved(name)) this.error(`using reserved identifier \`${name}' as a namespace is not allowed`, at);
		else this.namespace = name;
	}

	#function(): FunctionNode {
		const at = this.position;
		const isOwn = this.namespace !== 'awk' && isExtension(this.token.text);
		if (this.is('builtin') && isBuiltin(this.token.text) && !isOwn)
			this.fail(`\`${this.token.text}' is a built-in function, it cannot be redefined`);
		const plain = this.token.text;
		const name = isOwn ? this.takeQualified() : this.name();
		if (this.state.functions.has(name)) this.error(`function name \`${name}' previously defined`, at);
		this.state.functions.add(name);
		const parameters = this.#parameterNames(name, plain);
		this.newlines();
		[this.parameters, this.#isInFunction] = [parameters, true];
		const body = this.block();
		[this.parameters, this.#isInFunction] = [[], false];
		return { name, parameters, body, at };
	}

	#parameterNames(name: string, plain: string): string[] {
		const parameters: string[] = [];
		this.expect('(');
		this.newlines();
		while (!this.accept('operator', ')')) {
			if (parameters.length) this.expect(',');
			this.newlines();
			const at = this.position;
			const { kind, text } = this.token;
			const isOldBuiltin = kind === 'builtin' && this.state.dialect === 'gnu';
			if (kind !== 'name' && kind !== 'call' && !isOldBuiltin) this.fail();
			this.at++;
			if (text === plain) this.error(`function \`${name}': cannot use function name as parameter name`, at);
			else if (SPECIAL.has(text))
				this.error(`function \`${name}': cannot use special variable \`${text}' as a function parameter`, at);
			const before = parameters.indexOf(text);
			if (before >= 0)
				this.error(
					`function \`${name}': parameter #${parameters.length + 1}, \`${text}', duplicates parameter #${before + 1}`,
					at
				);
			parameters.push(text);
			this.newlines();
		}
		return parameters;
	}

	protected block(): Statement {
		const at = this.position;
		this.expect('{');
		const body: Statement[] = [];
		for (this.separators(); !this.accept('operator', '}'); this.separators()) {
			if (this.is('end')) this.fail();
			body.push(this.statement());
		}
		return { type: 'block', body, at };
	}

	/** Parses the body of a loop or branch. */
	protected body(): Statement {
		this.newlines();
		const at = this.position;
		if (this.accept('operator', ';')) return { type: 'block', body: [], at };
		return this.statement();
	}

	#loopBody(): Statement {
		this.#loops++;
		const body = this.body();
		this.#loops--;
		return body;
	}

	protected endOfStatement(): void {
		if (this.is('operator', '}') || this.is('end')) return;
		if (!this.accept('operator', ';') && !this.accept('newline')) this.fail();
	}

	protected statement(): Statement {
		if (this.is('operator', '{')) return this.block();
		const { at, position } = this;
		if (this.token.kind === 'word') {
			const word = this.token.text;
			this.at++;
			switch (word) {
				case 'if':
					return this.#if(position);
				case 'while': {
					const test = this.#test();
					return { type: 'while', test, body: this.#loopBody(), at: position };
				}
				case 'do':
					return this.#do(position);
				case 'for':
					return this.#for(position);
				case 'switch':
					return this.#switch(position);
			}
			this.at = at;
		}
		const simple = this.simple();
		this.endOfStatement();
		return simple;
	}

	#test(): Expression {
		this.expect('(');
		const test = this.free(() => this.expression());
		this.expect(')');
		return test;
	}

	#if(at: Statement['at']): Statement {
		const test = this.#test();
		const yes = this.body();
		const before = this.at;
		this.separators();
		if (this.accept('word', 'else')) return { type: 'if', test, yes, no: this.body(), at };
		this.at = before;
		return { type: 'if', test, yes, no: null, at };
	}

	#do(at: Statement['at']): Statement {
		const body = this.#loopBody();
		this.separators();
		if (!this.accept('word', 'while')) this.fail();
		const test = this.#test();
		this.endOfStatement();
		return { type: 'do', test, body, at };
	}

	#for(at: Statement['at']): Statement {
		this.expect('(');
		const [variable, word] = this.tokens.slice(this.at, this.at + 2);
		const before = this.at;
		if (variable?.kind === 'name' && word?.kind === 'word' && word.text === 'in') {
			const name = this.variable();
			this.at++;
			if (this.is('name')) {
				const array = this.array();
				if (this.accept('operator', ')')) return { type: 'each', variable: name, array, body: this.#loopBody(), at };
			}
			this.at = before;
		}
		const start = this.is('operator', ';') ? null : this.simple();
		this.expect(';');
		this.newlines();
		const test = this.is('operator', ';') ? null : this.expression();
		this.expect(';');
		this.newlines();
		const step = this.is('operator', ')') ? null : this.simple();
		this.expect(')');
		return { type: 'for', start, test, step, body: this.#loopBody(), at };
	}

	#switch(at: Statement['at']): Statement {
		const value = this.#test();
		this.newlines();
		this.expect('{');
		const cases: SwitchCase[] = [];
		this.#switches++;
		for (this.separators(); !this.accept('operator', '}'); this.separators()) {
			const label = this.position;
			if (this.accept('word', 'case')) cases.push({ value: this.#caseValue(), body: [] });
			else if (this.accept('word', 'default')) {
				if (cases.some((one) => one.value === null)) this.error("duplicate `default' detected in switch body", label);
				cases.push({ value: null, body: [] });
			} else this.fail();
			this.newlines();
			this.expect(':');
			const { body } = cases.at(-1)!;
			for (
				this.separators();
				!this.is('operator', '}') && !this.is('word', 'case') && !this.is('word', 'default');
				this.separators()
			) {
				if (this.is('end')) this.fail();
				body.push(this.statement());
			}
		}
		this.#switches--;
		return { type: 'switch', value, cases, at };
	}

	#caseValue(): Expression {
		const { kind, text } = this.token;
		if (kind === 'operator' && (text === '-' || text === '+')) {
			this.at++;
			const { number } = this.token;
			if (!this.accept('number')) this.fail();
			return { type: 'number', value: text === '-' ? -number : number };
		}
		if (kind !== 'number' && kind !== 'string' && kind !== 'regexp' && kind !== 'typed regexp') this.fail();
		return this.primary();
	}

	protected simple(): Statement {
		const at = this.position;
		if (this.token.kind === 'word') {
			const word = this.token.text;
			switch (word) {
				case 'print':
				case 'printf':
					this.at++;
					return this.#print(word === 'printf', at);
				case 'delete':
					return this.#delete(at);
				case 'exit':
				case 'return':
					this.at++;
					if (word === 'return' && !this.#isInFunction) this.error("`return' used outside function context", at);
					return { type: word, value: this.atEnd() ? null : this.expression(), at };
				case 'break':
				case 'continue':
				case 'next':
				case 'nextfile':
					return this.#jump(word, at);
			}
		}
		const expression = this.expression();
		if (this.state.lint && hasNoEffect(expression))
			this.state.warnings.push(`${placed(at)}warning: statement has no effect`);
		return { type: 'expression', expression, at };
	}

	#jump(type: 'break' | 'continue' | 'next' | 'nextfile', at: Statement['at']): Statement {
		this.at++;
		if (type === 'break' && this.#loops + this.#switches === 0)
			this.error("`break' is not allowed outside a loop or switch", at);
		if (type === 'continue' && this.#loops === 0) this.error("`continue' is not allowed outside a loop", at);
		return { type, at };
	}

	#delete(at: Statement['at']): Statement {
		this.at++;
		const isWrapped = this.accept('operator', '(');
		const node = this.array();
		if (isWrapped) this.expect(')');
		if (node.type === 'variable') return { type: 'delete', array: node, subscript: null, at };
		return { type: 'delete', array: node.array, subscript: node.subscript, at };
	}

	protected atEnd(): boolean {
		return this.is('newline') || this.is('operator', ';') || this.is('operator', '}') || this.is('end');
	}

	#print(format: boolean, at: Statement['at']): Statement {
		let args: Expression[] = [];
		const greater = this.noGreater;
		this.noGreater = true;
		if (!this.atEnd() && !(this.token.kind === 'operator' && /^(>|>>|\||\|&)$/.test(this.token.text))) {
			args = this.list();
			const [only] = args;
			// `print (a, b) > "file"`: the parentheses enclose the list.
			if (args.length === 1 && only?.type === 'group') args = only.items;
		}
		let redirect: StatementOf<'print'>['redirect'] = null;
		const operator = this.token.text;
		if (
			this.token.kind === 'operator' &&
			(operator === '>' || operator === '>>' || operator === '|' || operator === '|&')
		) {
			this.at++;
			redirect = { kind: operator, to: this.concatenation() };
		}
		this.noGreater = greater;
		return { type: 'print', format, args, redirect, at };
	}
}
