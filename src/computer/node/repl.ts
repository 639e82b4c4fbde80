import type { Writable } from 'node:stream';
import { inspect } from 'node-inspect-extracted';
import { evaluate } from './loader/evaluate.ts';
import { prepareCommonJs } from './loader/transform.ts';
import type { NodeInstance } from './instance.ts';
import { Interface } from './modules/readline/interface.ts';
import { completeStatement } from './repl-completion.ts';
import { isSyscallError, nodeError } from './runtime/errors.ts';
import { NODE_VERSION } from '#computer/abi/versions.ts';
import { ProcessExit } from './runtime/process.ts';
import { defineScriptGlobals } from './script-globals.ts';

const HELP = `.break   Leave out what was typed of this statement
.exit    End the program, as Ctrl-D does
.help    Print these lines
`;
/** V8's messages for incomplete code. */
const UNFINISHED = /^(Unexpected end of input|missing \) after argument list|Unterminated template literal)$/;

/** Number of lines stored in the history file. */
const KEPT_LINES = 1000;
const LEAVE = '(To exit, press Ctrl+C again or Ctrl+D or type .exit)\n';

/** Runs `node` at a terminal: reads a statement, runs it in the global scope, prints the result, until Ctrl-D. */
export function startRepl(instance: NodeInstance): void {
	const { process } = instance.runtime;
	const { stdin: input, stdout: output } = process;
	defineScriptGlobals(instance, '[repl]');
	output.write(`Welcome to Node.js ${NODE_VERSION}.\nType ".help" for more information.\n`);
	const history = loadHistory(instance);
	const lines = new Interface({
		input,
		output,
		history: history.lines,
		historySize: KEPT_LINES,
		removeHistoryDuplicates: true,
		completer: (line, done) => done(null, completeStatement(line))
	});
	lines.on('history', history.keep);
	const repl = new Repl(instance, lines);
	lines.on('line', (line: string) => repl.enter(line));
	lines.on('SIGINT', () => repl.interrupt());
	lines.on('close', () => {
		output.write('\n');
		process.exit();
	});
	repl.prompt();
}

class Repl {
	#typed = '';
	#count = 0;
	/** Set if Ctrl-C was pressed at an empty prompt: the next one ends the program. */
	#isLeaving = false;
	/** Cancels waiting for a promise. */
	#giveUp: (() => void) | null = null;
	readonly #output: Writable;

	constructor(
		private readonly instance: NodeInstance,
		private readonly lines: Interface
	) {
		this.#output = instance.runtime.process.stdout;
	}

	prompt(): void {
		this.lines.setPrompt(this.#typed === '' ? '> ' : '... ');
		this.lines.prompt();
	}

	enter(line: string): void {
		const command = line.trim();
		this.#isLeaving = false;
		if (command === '.exit') return this.lines.close();
		if (command === '.break' || command === '.clear') this.#typed = '';
		else if (command === '.help') this.#output.write(HELP);
		else if (this.#typed !== '' || command !== '') {
			const text = this.#typed === '' ? line : `${this.#typed}\n${line}`;
			return void this.#run(text).then(() => this.instance.runtime.loop.enter(() => this.prompt()));
		}
		this.prompt();
	}

	/** Handles Ctrl-C: cancels the pending await or the typed text, or exits. */
	interrupt(): void {
		if (this.#giveUp) return this.#giveUp();
		const isEmpty = this.#typed === '' && this.lines.line === '';
		if (isEmpty && this.#isLeaving) return this.lines.close();
		this.lines.clearLine();
		this.#typed = '';
		this.#isLeaving = isEmpty;
		if (isEmpty) this.#output.write(LEAVE);
		this.prompt();
	}

	async #run(text: string): Promise<void> {
		const { loop } = this.instance.runtime;
		try {
			const result = this.#runInTerminal(text);
			this.#show(result.isPromised ? await loop.holdWhile(this.#awaited(result.value)) : result.value);
		} catch (error) {
			if (error instanceof SyntaxError && UNFINISHED.test(error.message)) {
				this.#typed = text;
				return;
			}
			this.#fail(error);
		}
		this.#typed = '';
	}

	/** No keys are read while a statement runs: Ctrl-C must be a signal, which ends an infinite loop. */
	#runInTerminal(text: string): { value: unknown; isPromised: boolean } {
		this.lines._setRawMode(false);
		try {
			return runStatement(text, `REPL${++this.#count}`);
		} finally {
			this.lines._setRawMode(true);
		}
	}

	#awaited(value: unknown): Promise<unknown> {
		const givenUp = new Promise<never>((_, reject) => {
			const message = 'Asynchronous execution was interrupted by `SIGINT`';
			this.#giveUp = () => reject(nodeError(Error, 'ERR_SCRIPT_EXECUTION_INTERRUPTED', message));
		});
		return Promise.race([value, givenUp]).finally(() => (this.#giveUp = null));
	}

	#show(value: unknown): void {
		Reflect.set(globalThis, '_', value);
		this.#output.write(`${inspect(value, { colors: true })}\n`);
	}

	#fail(error: unknown): void {
		if (error instanceof ProcessExit) throw error;
		const shownError = error instanceof Error ? (error.stack ?? String(error)) : inspect(error, { colors: true });
		this.#output.write(`Uncaught ${shownError.replace(/\n +at REPL\d+:.*/g, '')}\n`);
	}
}

/** Previously entered lines, newest first, in the file in which Node stores them. */
function loadHistory({ runtime }: NodeInstance): { lines: string[]; keep: (lines: string[]) => void } {
	const { sys, process } = runtime;
	const file = process.env['NODE_REPL_HISTORY'] ?? `${process.env['HOME'] ?? '/home/user'}/.node_repl_history`;
	if (file.trim() === '') return { lines: [], keep: () => {} };
	const kept = sys.statOrNull(file)?.kind === 'file' ? new TextDecoder().decode(sys.readFile(file)) : '';
	return {
		lines: kept.split('\n').filter(Boolean),
		keep: (lines) => {
			try {
				sys.writeFile(file, new TextEncoder().encode(lines.join('\n')), { mode: 0o600 });
			} catch (error) {
				// A full or read-only volume must not stop the user; the lines remain until the program ends.
				if (!isSyscallError(error)) throw error;
			}
		}
	};
}

/** @throws errors of the statement; a SyntaxError if it is invalid */
function runStatement(text: string, name: string): { value: unknown; isPromised: boolean } {
	const isObject = /^\s*\{/.test(text) && !/;\s*$/.test(text);
	const script = prepareCommonJs(kept(isObject ? `(${text})` : text));
	try {
		return { value: evaluate(script, name), isPromised: false };
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		if (/\bawait\b/.test(text)) return { value: runAwaiting(text, name), isPromised: true };
		if (!isObject) throw error;
		return { value: evaluate(prepareCommonJs(kept(text)), name), isPromised: false };
	}
}

/**
 * Makes declared names available to the next statement: those of `const`, `let` and `class` would be local to the
 * evaluated text.
 */
const kept = (text: string): string =>
	text.replace(/^(const|let)\b/gm, 'var').replace(/^class\s+(\w+)/gm, 'var $1 = class $1');

/** Runs a statement with `await` as the body of an async function; its declarations are global. */
function runAwaiting(text: string, name: string): unknown {
	const [, declared, value] = /^\s*(?:const|let|var)\s+([\w$]+)\s*=\s*([^]*?);?\s*$/.exec(text) ?? [];
	const bodies = declared
		? [`globalThis.${declared} = ${value}; return undefined;`]
		: [`return (${text.replace(/;\s*$/, '')}\n);`, text];
	for (const [index, body] of bodies.entries()) {
		try {
			return evaluate(prepareCommonJs(`(async () => { ${body} })()`), name);
		} catch (error) {
			if (!(error instanceof SyntaxError) || index === bodies.length - 1) throw error;
		}
	}
	return undefined;
}
