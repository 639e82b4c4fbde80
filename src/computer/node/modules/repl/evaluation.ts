import { nodeError } from '../../runtime/errors.ts';
import { ProcessExit } from '../../runtime/process.ts';
import { prepareCommonJs } from '../../loader/transform.ts';
import { compileError } from './compile.ts';
import { Recoverable } from './recoverable.ts';
import { RegExpMatches } from './regexp-matches.ts';
import { syntax } from './syntax/load.ts';
import { showPlace } from './uncaught.ts';

/** Callback of an `eval` function. */
export type Evaluated = (error: unknown, value?: unknown) => void;

/** Parts of a prompt that evaluating a statement uses. */
export interface EvaluatingPrompt {
	readonly isStrict: boolean;
	readonly breakEvalOnSigint: boolean;
	/** Runs a valid script in the context. */
	run(code: string, context: object, name: string): unknown;
	_setRawMode(raw: boolean): boolean;
	/** Takes no input until {@link proceed}. */
	hold(): void;
	proceed(): void;
	fail(error: unknown): void;
	/** Runs a callback as one of the event loop. */
	inLoop(callback: () => void): void;
}

interface Compiled {
	code: string;
	/** Set if its result is a promise of `{ value }`. */
	isAwaiting: boolean;
}

/** Evaluates statements for a prompt without an `eval` function of its own. */
export class Evaluation {
	/** Cancels waiting for the promise of a statement, if there is one. */
	interrupt: (() => void) | null = null;
	readonly #matches = new RegExpMatches();

	constructor(private readonly prompt: EvaluatingPrompt) {}

	/** @param done not called if the statement throws, which the prompt is then informed of */
	evaluate(typed: string, context: object, name: string, done: Evaluated): void {
		if (typed === '\n') return done(null);
		const compiled = this.#compile(typed);
		if (!('code' in compiled)) return done(compiled);
		this.#matches.restore();
		let value: unknown;
		try {
			value = this.#run(prepareCommonJs(compiled.code), context, name);
		} catch (error) {
			if (error instanceof ProcessExit) throw error;
			this.#matches.keep();
			return this.prompt.fail(error);
		}
		if (compiled.isAwaiting) return void this.#finishWith(value, done);
		this.#matches.keep();
		done(null, value);
	}

	/** @returns the script to run, or what is wrong with it */
	#compile(typed: string): Compiled | Error {
		const isObject = /^\s*\{/.test(typed) && !/;\s*$/.test(typed) && syntax().isValidSyntax(typed);
		const text = isObject ? `(${typed.trim()})\n` : typed;
		const awaiting = text.includes('await') ? syntax().withTopLevelAwait(text) : { kind: 'plain' as const };
		if (awaiting.kind === 'unterminated') return new Recoverable(new SyntaxError('Unexpected end of input'));
		if (awaiting.kind === 'invalid') {
			const without = text.replace(/\bawait\b/g, '');
			const error = new SyntaxError(awaiting.message);
			return compileError(without) && syntax().isIncomplete(without) ? new Recoverable(error) : withoutFrames(error);
		}
		const candidates: Compiled[] = [];
		if (awaiting.kind === 'awaiting') candidates.push({ code: awaiting.code, isAwaiting: true });
		else if (isObject) candidates.push({ code: text, isAwaiting: false });
		candidates.push({ code: typed, isAwaiting: false });
		let first: { error: SyntaxError; code: string } | undefined;
		for (const { code, isAwaiting } of candidates) {
			const complete = this.prompt.isStrict && code.trim() !== '' ? `'use strict'; void 0;\n${code}` : code;
			const error = compileError(complete);
			if (!error) return { code: complete, isAwaiting };
			first ??= { error, code: complete };
		}
		const { error, code } = first ?? { error: new SyntaxError(), code: typed };
		if (syntax().isIncomplete(typed)) return new Recoverable(error);
		showPlace(error, code);
		return error;
	}

	/** Ctrl-C has to be a signal while a statement runs, which reads no keys. */
	#run(code: string, context: object, name: string): unknown {
		const { prompt } = this;
		if (!prompt.breakEvalOnSigint) return prompt.run(code, context, name);
		const wasRaw = prompt._setRawMode(false);
		try {
			return prompt.run(code, context, name);
		} finally {
			prompt._setRawMode(wasRaw);
		}
	}

	async #finishWith(promise: unknown, done: Evaluated): Promise<void> {
		this.prompt.hold();
		const interrupted = new Promise<never>((_, reject) => {
			if (!this.prompt.breakEvalOnSigint) return;
			this.interrupt = () => {
				const words = 'Script execution was interrupted by `SIGINT`';
				reject(withoutFrames(nodeError(Error, 'ERR_SCRIPT_EXECUTION_INTERRUPTED', words)));
			};
		});
		const report = await Promise.race([promise, interrupted]).then(
			(result) => () => done(null, valueIn(result)),
			(error: unknown) => () => this.prompt.fail(error)
		);
		this.interrupt = null;
		this.#matches.keep();
		this.prompt.inLoop(() => {
			report();
			this.prompt.proceed();
		});
	}
}

const valueIn = (result: unknown): unknown => (result === undefined ? undefined : Reflect.get(Object(result), 'value'));

function withoutFrames<Given extends Error>(error: Given): Given {
	const stack = error.stack?.replace(/\n +at [^]*$/, '');
	return Object.defineProperty(error, 'stack', { value: stack, writable: true, configurable: true });
}
