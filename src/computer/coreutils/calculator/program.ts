import { type Expression, ExpressionReader } from './expressions.ts';
import { Jump, type Interpreter, type Procedure, Quit, Return, type Statement } from './interpreter.ts';
import { isZero, ONE, RuntimeError, ZERO } from './number.ts';
import { SyntaxProblem, tokensOf } from './tokens.ts';

const ESCAPES: Record<string, string> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', q: '"', '\\': '\\' };

/** Parses a program of `bc` piece by piece, and runs each piece after parsing. */
class Program extends ExpressionReader {
	/** @param complain called with each error, after which the program continues */
	run(complain: (text: string) => void): void {
		while (this.token.kind !== 'end') {
			const { line } = this.token;
			try {
				// A whole line is parsed before any of it is run.
				for (const statement of this.line())
					if (statement() instanceof Return) complain(`(standard_in) ${line}: Return outside of a function.\n`);
			} catch (error) {
				if (error instanceof SyntaxProblem) {
					complain(`(standard_in) ${error.line}: syntax error\n`);
					while (!this.endsLine()) this.at++;
				} else if (error instanceof RuntimeError)
					complain(`Runtime error (func=(main), adr=${line}): ${error.message}\n`);
				else if (error instanceof RangeError)
					complain(`Runtime error (func=(main), adr=${line}): too large a number\n`);
				else throw error;
			}
		}
	}

	private endsLine(): boolean {
		return this.token.kind === 'line' || this.token.kind === 'end';
	}

	private line(): Statement[] {
		const statements: Statement[] = [];
		for (;;) {
			if (this.is('define')) this.define();
			else if (!this.endsLine() && !this.is(';')) statements.push(this.statement());
			if (this.take(';')) continue;
			if (!this.endsLine()) throw this.problem();
			if (this.token.kind === 'line') this.at++;
			return statements;
		}
	}

	#skipLines(): void {
		while (this.token.kind === 'line') this.at++;
	}

	private statement(): Statement {
		const { interpreter } = this;
		const { kind, text } = this.token;
		if (kind === 'string') {
			this.at++;
			return () => void interpreter.write(text);
		}
		if (this.take('{')) return this.block();
		if (this.take('if')) return this.condition();
		if (this.take('while')) {
			const test = this.inParentheses();
			this.#skipLines();
			return loop(interpreter, test, this.statement(), () => {});
		}
		if (this.take('for')) return this.counted();
		if (this.take('print')) return this.print();
		if (this.take('return')) {
			const value = this.is(';', '}') || this.token.kind === 'line' ? () => ZERO : this.expression().value;
			return () => new Return(value());
		}
		for (const word of ['break', 'continue'] as const) {
			if (!this.take(word)) continue;
			const jump = new Jump(word);
			return () => jump;
		}
		if (this.is('quit', 'halt')) {
			this.at++;
			// `quit` takes effect as soon as it is parsed.
			if (text === 'quit') throw new Quit();
			return () => {
				throw new Quit();
			};
		}
		const { value, isAssignment } = this.expression();
		return isAssignment ? () => void value() : () => void interpreter.show(value(), true);
	}

	private block(): Statement {
		const statements: Statement[] = [];
		while (!this.take('}')) {
			if (this.token.kind === 'end') throw this.problem();
			if (this.token.kind === 'line' || this.is(';')) this.at++;
			else statements.push(this.statement());
		}
		return () => {
			for (const run of statements) {
				const end = run();
				if (end) return end;
			}
			return undefined;
		};
	}

	private inParentheses(): Expression {
		this.expect('(');
		const { value } = this.expression();
		this.expect(')');
		return value;
	}

	private condition(): Statement {
		const test = this.inParentheses();
		this.#skipLines();
		const then = this.statement();
		const from = this.at;
		// `else` may follow on the line of the previous `}`, or after a `;`.
		if (this.is(';')) this.at++;
		let otherwise: Statement = () => undefined;
		if (this.take('else')) {
			this.#skipLines();
			otherwise = this.statement();
		} else this.at = from;
		return () => (isZero(test()) ? otherwise() : then());
	}

	private counted(): Statement {
		this.expect('(');
		const part = (end: string): Expression => {
			const value = this.is(end) ? () => ONE : this.expression().value;
			this.expect(end);
			return value;
		};
		const [first, test, step] = [part(';'), part(';'), part(')')];
		this.#skipLines();
		const run = loop(this.interpreter, test, this.statement(), step);
		return () => {
			first();
			return run();
		};
	}

	private print(): Statement {
		const parts: (() => void)[] = [];
		do {
			const { kind, text } = this.token;
			if (kind === 'string') {
				this.at++;
				const shown = text.replace(/\\(.)/gs, (all, letter: string) => ESCAPES[letter] ?? all);
				parts.push(() => this.interpreter.write(shown));
			} else {
				const { value } = this.expression();
				parts.push(() => this.interpreter.show(value(), false));
			}
		} while (this.take(','));
		return () => {
			for (const run of parts) run();
		};
	}

	private define(): void {
		this.at++;
		this.take('void');
		const name = this.name();
		this.expect('(');
		const parameters = this.names(')');
		this.expect(')');
		this.#skipLines();
		this.expect('{');
		this.#skipLines();
		const locals = this.take('auto') ? this.names('') : [];
		this.interpreter.procedures.set(name, { parameters, locals, run: this.block() });
	}

	/** Parses `a, b[]` up to `end`, or to the end of the line. */
	private names(end: string): Procedure['parameters'] {
		const names: Procedure['parameters'] = [];
		if (this.is(end)) return names;
		do {
			const isReference = this.take('*');
			const name = this.name();
			const isArray = this.take('[');
			if (isArray) this.expect(']');
			names.push({ name, isArray, isReference });
		} while (this.take(','));
		return names;
	}
}

function loop(interpreter: Interpreter, test: Expression, body: Statement, step: () => unknown): Statement {
	return () => {
		for (; !isZero(test()); step()) {
			interpreter.yieldIfDue();
			const end = body();
			if (end instanceof Return) return end;
			if (end?.kind === 'break') return undefined;
		}
		return undefined;
	};
}

/** Runs a program; returns false if it has ended itself. */
export function calculate(source: string, interpreter: Interpreter, complain: (text: string) => void): boolean {
	try {
		new Program(tokensOf(source), interpreter).run(complain);
		return true;
	} catch (error) {
		if (error instanceof Quit) return false;
		throw error;
	}
}
