import type { Expression, FunctionNode, Program, Statement } from './nodes.ts';
import { ExpressionParser } from './parse-expression.ts';
import { tokenize } from './tokens.ts';

/** Reads an awk program. @throws AwkError */
export function parseAwk(source: string): Program {
	return new AwkParser(tokenize(source)).program();
}

class AwkParser extends ExpressionParser {
	program(): Program {
		const program: Program = { begin: [], end: [], rules: [], functions: new Map(), readsInput: false };
		for (;;) {
			this.separators();
			if (this.token.kind === 'end') break;
			if (this.accept('word', 'function')) {
				const definition = this.function();
				program.functions.set(definition.name, definition);
			} else if (this.accept('word', 'BEGIN')) program.begin.push(this.block());
			else if (this.accept('word', 'END')) program.end.push(this.block());
			else {
				const pattern = this.is('operator', '{') ? null : this.expression();
				let until: Expression | null = null;
				if (this.accept('operator', ',')) {
					this.newlines();
					until = this.expression();
				}
				program.rules.push({ pattern, until, action: this.is('operator', '{') ? this.block() : null });
			}
		}
		program.readsInput = this.readsInput;
		return program;
	}

	protected function(): FunctionNode {
		const name = this.name();
		const parameters: string[] = [];
		this.expect('(');
		while (!this.accept('operator', ')')) {
			if (parameters.length) this.expect(',');
			this.newlines();
			parameters.push(this.name());
			this.newlines();
		}
		this.newlines();
		return { name, parameters, body: this.block() };
	}

	protected block(): Statement {
		this.expect('{');
		const body: Statement[] = [];
		for (this.separators(); !this.accept('operator', '}'); this.separators()) {
			if (this.is('end')) this.fail();
			body.push(this.statement());
		}
		return { type: 'block', body };
	}

	/** The statement a loop or branch consists of. */
	protected body(): Statement {
		this.newlines();
		if (this.accept('operator', ';')) return { type: 'block', body: [] };
		return this.statement();
	}

	protected endOfStatement(): void {
		if (this.is('operator', '}') || this.is('end')) return;
		if (!this.accept('operator', ';') && !this.accept('newline')) this.fail();
	}

	protected statement(): Statement {
		if (this.is('operator', '{')) return this.block();
		if (this.token.kind !== 'word' || this.is('word', 'getline')) {
			const simple = this.simple();
			this.endOfStatement();
			return simple;
		}
		const word = this.token.text;
		this.at++;
		switch (word) {
			case 'if': {
				this.expect('(');
				const test = this.expression();
				this.expect(')');
				const yes = this.body();
				const before = this.at;
				this.separators();
				if (this.accept('word', 'else')) return { type: 'if', test, yes, no: this.body() };
				this.at = before;
				return { type: 'if', test, yes, no: null };
			}
			case 'while': {
				this.expect('(');
				const test = this.expression();
				this.expect(')');
				return { type: 'while', test, body: this.body() };
			}
			case 'do': {
				const body = this.body();
				this.separators();
				if (!this.accept('word', 'while')) this.fail();
				this.expect('(');
				const test = this.expression();
				this.expect(')');
				this.endOfStatement();
				return { type: 'do', test, body };
			}
			case 'for':
				return this.for();
			default: {
				this.at--;
				const simple = this.simple();
				this.endOfStatement();
				return simple;
			}
		}
	}

	protected for(): Statement {
		this.expect('(');
		const [variable, word, array, close] = this.tokens.slice(this.at, this.at + 4);
		if (variable?.kind === 'name' && word?.text === 'in' && array?.kind === 'name' && close?.text === ')') {
			this.at += 4;
			return { type: 'each', variable: variable.text, name: array.text, body: this.body() };
		}
		const start = this.is('operator', ';') ? null : this.simple();
		this.expect(';');
		this.newlines();
		const test = this.is('operator', ';') ? null : this.expression();
		this.expect(';');
		this.newlines();
		const step = this.is('operator', ')') ? null : this.simple();
		this.expect(')');
		return { type: 'for', start, test, step, body: this.body() };
	}

	protected simple(): Statement {
		if (this.token.kind === 'word') {
			const word = this.token.text;
			switch (word) {
				case 'print':
				case 'printf':
					this.at++;
					return this.print(word === 'printf');
				case 'delete': {
					this.at++;
					const name = this.name();
					return { type: 'delete', name, subscript: this.is('operator', '[') ? this.subscript() : null };
				}
				case 'exit':
				case 'return':
					this.at++;
					return { type: word, value: this.atEnd() ? null : this.expression() };
				case 'break':
				case 'continue':
				case 'next':
				case 'nextfile':
					this.at++;
					return { type: word };
			}
		}
		return { type: 'expression', expression: this.expression() };
	}

	protected atEnd(): boolean {
		return this.is('newline') || this.is('operator', ';') || this.is('operator', '}') || this.is('end');
	}

	protected print(format: boolean): Statement {
		let args: Expression[] = [];
		const greater = this.noGreater;
		this.noGreater = true;
		if (!this.atEnd() && !/^(>|>>|\|)$/.test(this.token.text)) {
			args = this.list();
			const [only] = args;
			// `print (a, b) > "file"`: the parentheses held the list.
			if (args.length === 1 && only?.type === 'group' && only.items.length > 1) args = only.items;
		}
		let redirect: Extract<Statement, { type: 'print' }>['redirect'] = null;
		const operator = this.token.text;
		if (this.token.kind === 'operator' && (operator === '>' || operator === '>>' || operator === '|')) {
			this.at++;
			redirect = { kind: operator, to: this.concatenation() };
		}
		this.noGreater = greater;
		return { type: 'print', format, args, redirect };
	}
}
