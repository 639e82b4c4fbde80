import { inspect } from 'node-inspect-extracted';
import { nodeError } from '../../runtime/errors.ts';
import { ProcessExit } from '../../runtime/process.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { sourceLine } from '../../runtime/uncaught.ts';
import type { EventEmitter } from '../events.ts';
import { Interface } from '../readline/interface.ts';
import type { Key } from '../readline/key-decoder.ts';
import type { Completer, TerminalInput, TerminalOutput } from '../readline/options.ts';
import { commandOf, standardCommands, type Command, type CommandedPrompt, type SessionFiles } from './commands.ts';
import { completions, editorCompletions, type CompletedPrompt } from './completion.ts';
import type { ReplContexts } from './context.ts';
import { Evaluation, type Evaluated, type EvaluatingPrompt } from './evaluation.ts';
import { HistoryFile } from './history-file.ts';
import { readReplOptions } from './options.ts';
import { Recoverable } from './recoverable.ts';
import { statementName } from './statement-name.ts';
import { setStack, trimStack, uncaughtText, withoutBrackets } from './uncaught.ts';

/** Domain of a prompt: errors that its statements throw, also later, are its `error` events. */
interface Domain extends EventEmitter {
	bind(call: (...args: unknown[]) => unknown): (...args: unknown[]) => unknown;
}

/** Parts of the program that all its prompts share. */
export interface ReplParts {
	readonly runtime: Runtime;
	readonly contexts: ReplContexts;
	readonly files: SessionFiles;
	readonly libraries: readonly string[];
	createDomain(): Domain;
	readonly modes: { readonly sloppy: symbol; readonly strict: symbol };
	readonly writer: Writer;
	homeDirectory(): string;
	/** From now on, code in the domain cannot listen to `uncaughtException`, which would keep its errors. */
	refuseListeners(domain: Domain): void;
}

type Writer = ((value: unknown) => string) & { options: { breakLength: number; colors: boolean } };
type Eval = (this: ReplServer, code: string, context: object, name: string, done: Evaluated) => void;
type Lines = string[] & { level: unknown[] };

const HISTORY_LOST = '\nError: Could not open history file.\nREPL session history will not be persisted.\n';
const LEAVE = '(To exit, press Ctrl+C again or Ctrl+D or type .exit)\n';
const NO_NPM = 'npm should be run outside of the Node.js REPL, in your normal shell.\n(Press Ctrl+D to exit.)\n';

/** `repl.REPLServer`: reads statements of a stream or a terminal, and prints their values. */
export class ReplServer extends Interface implements EvaluatingPrompt, CompletedPrompt, CommandedPrompt {
	context: object = {};
	commands: Record<string, Command>;
	lines: Lines = Object.assign<string[], { level: unknown[] }>([], { level: [] });
	writer: (value: unknown) => string;
	eval: (code: string, context: object, name: string, done: Evaluated) => void;
	last: unknown;
	lastError: unknown;
	underscoreAssigned = false;
	underscoreErrAssigned = false;
	editorMode = false;
	allowBlockingCompletions: boolean;
	useColors: boolean;
	useGlobal: boolean;
	ignoreUndefined: boolean;
	breakEvalOnSigint: boolean;
	replMode: symbol;
	/** @public Name in Node. */
	_initialPrompt: string;
	readonly _domain: Domain;
	readonly #parts: ReplParts;
	readonly #isStandalone: boolean;
	readonly #evaluation: Evaluation;
	/** Lines of a statement that is incomplete. */
	#buffered = '';
	/** Set if Ctrl-C was pressed at an empty prompt: the next one ends it. */
	#isLeaving = false;
	/** Set if Ctrl-D ended the editor: what it holds is complete. */
	#isFinal = false;
	/** Set while a text is entered, not typed: its lines have their own indentation. */
	#isEntering = false;
	#isHeld = false;
	readonly #heldBack: (() => void)[] = [];

	/**
	 * @param given options, or the prompt, followed by a stream and further options in order
	 * @throws ERR_INVALID_REPL_EVAL_CONFIG
	 */
	constructor(parts: ReplParts, given: unknown[], isStandalone = false) {
		const options = readReplOptions(given, parts.runtime.process);
		if (options.breakEvalOnSigint && options.eval) {
			const words = 'Cannot specify both "breakEvalOnSigint" and "eval" for REPL';
			throw nodeError(TypeError, 'ERR_INVALID_REPL_EVAL_CONFIG', words);
		}
		super({
			input: options.input as TerminalInput,
			output: options.output as TerminalOutput,
			terminal: options.terminal,
			historySize: options.historySize,
			prompt: options.prompt,
			completer: (options.completer as Completer | undefined) ?? ((line, done) => this.#complete(line, done))
		});
		this.#parts = parts;
		this.#isStandalone = isStandalone;
		this._initialPrompt = this.getPrompt();
		this._domain = (options.domain as Domain | undefined) ?? parts.createDomain();
		this.allowBlockingCompletions = options.allowBlockingCompletions === true;
		this.useColors = Boolean(options.useColors);
		this.useGlobal = Boolean(options.useGlobal);
		this.ignoreUndefined = Boolean(options.ignoreUndefined);
		this.breakEvalOnSigint = Boolean(options.breakEvalOnSigint);
		this.replMode = options.replMode ?? parts.modes.sloppy;
		this.#evaluation = new Evaluation(this);
		const evaluate = (options.eval as Eval | undefined) ?? this.#evaluate;
		this.eval = (...call) => void this._domain.bind((...args) => Reflect.apply(evaluate, this, args))(...call);
		this._domain.on('error', (error: unknown) => this.#report(error));
		if (!isStandalone) parts.refuseListeners(this._domain);
		this.resetContext();
		this.commands = Object.assign(Object.create(null) as object, standardCommands(this, parts.files));
		this.writer = options.writer ?? parts.writer;
		if (this.writer === parts.writer) parts.writer.options.colors = this.useColors;
		this.on('line', (line: string | null) => this.#takeLine(line));
		this.on('SIGINT', () => this.#interrupt());
		this.on('SIGCONT', () => this.#continue());
		this.on('close', () => (this.#isHeld ? this.#heldBack.push(() => this.emit('exit')) : this.emit('exit')));
		this.#followRejections();
		this.displayPrompt();
	}

	get inputStream(): unknown {
		return this.input;
	}

	get outputStream(): unknown {
		return this.output;
	}

	get isStrict(): boolean {
		return this.replMode === this.#parts.modes.strict;
	}

	get bufferedCommand(): string {
		return this.#buffered;
	}

	get libraries(): readonly string[] {
		return this.#parts.libraries;
	}

	get lexicalNames(): string[] {
		return this.#parts.contexts.lexicalNames(this.context);
	}

	print(text: string): void {
		this.output?.write(text);
	}

	createContext(): object {
		return this.#parts.contexts.create(this.useGlobal, this.output ?? undefined);
	}

	/** Makes a new context, and emits `reset` with it. */
	resetContext(): void {
		this.context = this.createContext();
		this.underscoreAssigned = false;
		this.underscoreErrAssigned = false;
		this.lines = Object.assign<string[], { level: unknown[] }>([], { level: [] });
		Object.defineProperty(this.context, '_', {
			configurable: true,
			get: () => this.last,
			set: (value: unknown) => {
				this.last = value;
				if (!this.underscoreAssigned) this.print('Expression assignment to _ now disabled.\n');
				this.underscoreAssigned = true;
			}
		});
		Object.defineProperty(this.context, '_error', {
			configurable: true,
			get: () => this.lastError,
			set: (value: unknown) => {
				this.lastError = value;
				if (!this.underscoreErrAssigned) this.print('Expression assignment to _error now disabled.\n');
				this.underscoreErrAssigned = true;
			}
		});
		this.emit('reset', this.context);
	}

	/** Forgets the lines of an incomplete statement. */
	clearBufferedCommand(): void {
		this.#buffered = '';
	}

	displayPrompt(preserveCursor?: boolean): void {
		super.setPrompt(this.#buffered === '' ? this._initialPrompt : '... ');
		this.prompt(preserveCursor);
	}

	override setPrompt(prompt: string): void {
		this._initialPrompt = prompt;
		super.setPrompt(prompt);
	}

	/** Defines a command behind a dot. @throws ERR_INVALID_ARG_TYPE */
	defineCommand(keyword: string, command: unknown): void {
		this.commands[keyword] = commandOf(command);
	}

	/** Completes a line: calls back with an error, or with choices and what they complete. */
	complete(line: string, done: Parameters<Completer>[1]): void {
		void this.completer?.(line, done);
	}

	completeOnEditorMode(done: Parameters<Completer>[1]): Parameters<Completer>[1] {
		return editorCompletions(done);
	}

	/**
	 * Keeps the history of a terminal in a file; an empty path turns that off, and none is the user's own.
	 * @param done called with an error or null, and this prompt
	 */
	setupHistory(path: string | undefined, done: (error: unknown, repl: this) => void): void {
		const { runtime, homeDirectory } = this.#parts;
		const name = path?.trim() ?? `${homeDirectory()}/.node_repl_history`;
		if (name !== '') {
			const file = new HistoryFile(runtime.sys, runtime.resolvePath(name));
			const lines = file.open();
			if (lines) {
				this.history = lines;
				this.on('history', (all: string[]) => file.keep(all));
			} else {
				this.print(HISTORY_LOST);
				this._refreshLine();
			}
		}
		runtime.process.nextTick(() => done(null, this));
	}

	/** Ends the prompt, behind what runs now. */
	override close(): void {
		this.#parts.runtime.process.nextTick(() => super.close());
	}

	/** Starts the editor, whose lines are one statement. */
	startEditing(): void {
		this.editorMode = true;
		super.setPrompt('');
	}

	#stopEditing(): void {
		this.editorMode = false;
		this.setPrompt(this._initialPrompt);
	}

	/** Enters a text as one statement. */
	enter(text: string): void {
		this.startEditing();
		this.#isEntering = true;
		this.write(text);
		this.#isEntering = false;
		this.#stopEditing();
		this.write('\n');
	}

	run(code: string, context: object, name: string): unknown {
		return this.#parts.contexts.run(code, context, name);
	}

	hold(): void {
		this.#isHeld = true;
	}

	proceed(): void {
		this.#isHeld = false;
		while (!this.#isHeld && this.#heldBack.length > 0) this.#heldBack.shift()?.();
	}

	inLoop(callback: () => void): void {
		this.#parts.runtime.loop.enter(callback);
	}

	fail(error: unknown): void {
		this._domain.emit('error', error);
	}

	override _ttyWrite(text: string | undefined, key: Key | undefined): void {
		const isInterrupt = key?.ctrl === true && key.name === 'c';
		if (this.#isHeld && !(this.breakEvalOnSigint && isInterrupt)) {
			this.#heldBack.push(() => this._ttyWrite(text, key));
			return;
		}
		const isEnd = key?.ctrl === true && !key.shift && key.name === 'd';
		if (!this.editorMode || !this.terminal) {
			if (isEnd && this.cursor === 0 && this.line === '') this.clearLine();
			return super._ttyWrite(text, key);
		}
		if (isEnd) {
			this.#stopEditing();
			this.#isFinal = true;
			return super._ttyWrite(text, { ...RETURN });
		}
		const isHistory = key?.ctrl ? key.name === 'n' || key.name === 'p' : key?.name === 'up' || key?.name === 'down';
		if (!isHistory) super._ttyWrite(text, key);
	}

	readonly #evaluate: Eval = (code, context, name, done) => this.#evaluation.evaluate(code, context, name, done);

	#complete(line: string, done: Parameters<Completer>[1]): void {
		completions(this, line, this.editorMode ? editorCompletions(done) : done);
	}

	#takeLine(given: string | null): void {
		const line = given ?? '';
		this.#isLeaving = false;
		if (this.editorMode) {
			this.#buffered += `${line}\n`;
			const indent = /^\s+/.exec(line)?.[0];
			if (indent !== undefined && this._sawKeyPress && !this.#isEntering) this.write(indent);
			this.lines.push(line);
			return;
		}
		const typed = line.trim();
		if (/^\.(?!\.)/.test(typed) && Number.isNaN(Number.parseFloat(typed)) && this.#runCommand(typed)) return;
		const finish: Evaluated = (...outcome) => this.#finish(line, outcome);
		this.eval(`${this.#buffered}${line}\n`, this.context, statementName(), finish);
	}

	/** @returns false if it is no command, but may go on an incomplete statement */
	#runCommand(typed: string): boolean {
		const [, keyword = '', rest = ''] = /^\.(\S+)\s*(.*)$/.exec(typed) ?? [];
		const command = this.commands[keyword];
		if (command) {
			Reflect.apply(command.action, this, [rest]);
			return true;
		}
		if (this.#buffered !== '') return false;
		this.print('Invalid REPL keyword\n');
		this.#finish(typed, [null]);
		return true;
	}

	/** @param outcome arguments of the callback: without a second one, there is no value to print */
	#finish(line: string, outcome: Parameters<Evaluated>): void {
		const [error, value] = outcome;
		this.lines.push(line);
		const isIncomplete = error instanceof Recoverable;
		if (error && this.#buffered === '' && line.trim().startsWith('npm ') && !isIncomplete) {
			this.print(NO_NPM);
			return this.displayPrompt();
		}
		if (isIncomplete && !this.#isFinal) {
			this.#buffered += `${line}\n`;
			return this.displayPrompt();
		}
		if (error) this.fail(isIncomplete ? error.err : error);
		this.clearBufferedCommand();
		this.#isFinal = false;
		if (error) return;
		if (outcome.length === 2 && !(this.ignoreUndefined && value === undefined)) {
			if (!this.underscoreAssigned) this.last = value;
			this.print(`${this.writer(value)}\n`);
		}
		this.displayPrompt();
	}

	/** Prints an uncaught error of a statement; that of the program at the prompt may have a listener. */
	#report(error: unknown): void {
		if (error instanceof ProcessExit) throw error;
		const { process } = this.#parts.runtime;
		if (typeof error === 'object' && error !== null && Reflect.get(error, 'domainThrown') !== undefined) {
			for (const name of ['domain', 'domainThrown']) Reflect.deleteProperty(error, name);
		}
		if (error instanceof SyntaxError && 'file' in error) this.#showSource(error);
		if (error instanceof Error) trimStack(error, this.isStrict, this.lines.at(-1) ?? '');
		if (!this.underscoreErrAssigned) this.lastError = error;
		const isHandled = this.#isStandalone && process.listenerCount('uncaughtException') > 0;
		const again = () => {
			this.clearBufferedCommand();
			if (!this.closed) this.displayPrompt();
		};
		if (isHandled) {
			process.nextTick(() => {
				process.emit('uncaughtException', error, 'uncaughtException');
				again();
			});
			return;
		}
		const shown = this.writer(error);
		const text = error instanceof Error ? withoutBrackets(shown) : shown;
		this.print(uncaughtText(text, this.#parts.writer.options.breakLength));
		again();
	}

	/** Shows where a file that a statement loads is invalid. */
	#showSource(error: SyntaxError): void {
		const { sys } = this.#parts.runtime;
		const read = (file: string) =>
			sys.statOrNull(file)?.kind === 'file' ? new TextDecoder().decode(sys.readFile(file)) : null;
		const source = sourceLine(error, read);
		if (source !== '') setStack(error, `${source}\nSyntaxError: ${error.message}\n`);
	}

	/** Until the prompt ends, promises that statements reject are its errors. */
	#followRejections(): void {
		const { loop } = this.#parts.runtime;
		const before = loop.onRejection;
		loop.onRejection = (error) => void this._domain.emit('error', error);
		this.once('exit', () => (loop.onRejection = before));
	}

	/** Handles Ctrl-C: cancels the pending await or the typed text, or exits. */
	#interrupt(): void {
		if (this.#evaluation.interrupt) return this.#evaluation.interrupt();
		const isEmpty = this.line === '';
		this.clearLine();
		this.#stopEditing();
		if (this.#buffered === '' && isEmpty) {
			if (this.#isLeaving) {
				this.#isLeaving = false;
				return this.close();
			}
			this.print(LEAVE);
			this.#isLeaving = true;
		} else this.#isLeaving = false;
		this.clearBufferedCommand();
		this.displayPrompt();
	}

	#continue(): void {
		if (!this.editorMode) return this.displayPrompt(true);
		this.print(`${this._initialPrompt}.editor\n`);
		this.print('// Entering editor mode (Ctrl+D to finish, Ctrl+C to cancel)\n');
		this.print(`${this.#buffered}\n`);
		this.prompt(true);
	}
}

const RETURN: Key = { sequence: '\r', name: 'return', ctrl: false, meta: false, shift: false };

/** Creates `repl.writer`. */
export function createWriter(): Writer {
	const writer: Writer = Object.assign((value: unknown) => inspect(value, writer.options), {
		options: {
			...inspect.defaultOptions,
			breakLength: inspect.defaultOptions.breakLength ?? 128,
			colors: false,
			showProxy: true
		}
	});
	return writer;
}
