import type { Readable, Writable } from 'node:stream';

/** Additional methods of terminal streams. */
export interface TerminalInput extends Readable {
	isTTY?: boolean;
	isRaw?: boolean;
	setRawMode?(raw: boolean): unknown;
}
export interface TerminalOutput extends Writable {
	isTTY?: boolean;
	columns?: number;
}

type Completions = [choices: string[], completed: string];
type Completed = (error: unknown, result?: Completions) => void;
export type Completer = (line: string, done: Completed) => Completions | Promise<Completions> | undefined | void;

/** Options of `readline.createInterface`. */
export interface Options {
	input: TerminalInput;
	output?: TerminalOutput | null;
	completer?: Completer;
	/** Set if lines are edited here, key by key. */
	terminal?: boolean;
	prompt?: string;
	/** Oldest last. */
	history?: string[];
	historySize?: number;
	removeHistoryDuplicates?: boolean;
	/** Time in milliseconds in which a line feed after a carriage return does not count as another line. */
	crlfDelay?: number;
	escapeCodeTimeout?: number;
	tabSize?: number;
	signal?: AbortSignal;
}

/** Both forms of the call: with options, and with streams as in early versions of Node. */
export function readOptions(
	first: Options | TerminalInput,
	output?: TerminalOutput,
	completer?: Completer,
	terminal?: boolean
): Options {
	return isOptions(first) ? first : { input: first, output, completer, terminal };
}

const isOptions = (first: Options | TerminalInput): first is Options => 'input' in first && first.input !== undefined;
