import type { Readable, Writable } from 'node:stream';
import type { NodeProcess } from '../../runtime/process.ts';

/** Options of `repl.start`. */
export interface ReplOptions {
	prompt?: string;
	input?: Readable;
	output?: Writable & { isTTY?: boolean; getColorDepth?(): number };
	/** Both streams in one, as in early versions of Node. */
	stream?: unknown;
	socket?: unknown;
	terminal?: boolean;
	eval?: unknown;
	useColors?: boolean;
	useGlobal?: boolean;
	ignoreUndefined?: boolean;
	writer?: (value: unknown) => string;
	completer?: unknown;
	replMode?: symbol;
	breakEvalOnSigint?: boolean;
	/** Accepted; no previews of values are shown. */
	preview?: boolean;
	historySize?: number;
	allowBlockingCompletions?: boolean;
	domain?: unknown;
}

/** Both forms of the call: with options, and with prompt, stream, eval, useGlobal, ignoreUndefined and replMode. */
export function readReplOptions(given: unknown[], process: NodeProcess): ReplOptions {
	const [first, stream, evaluate, useGlobal, ignoreUndefined, replMode] = given;
	const options: ReplOptions =
		typeof first === 'object' && first !== null
			? { ...first }
			: ({ prompt: first, stream, eval: evaluate, useGlobal, ignoreUndefined, replMode } as ReplOptions);
	if (!options.input && !options.output) {
		const both = Object(options.stream ?? options.socket ?? process) as Record<string, unknown>;
		options.input = (both['stdin'] ?? both) as ReplOptions['input'];
		options.output = (both['stdout'] ?? both) as ReplOptions['output'];
	}
	options.terminal = Boolean(options.terminal ?? options.output?.isTTY);
	if (options.terminal) options.useColors ??= hasColors(options.output, process);
	return options;
}

function hasColors(output: ReplOptions['output'], { env }: NodeProcess): boolean {
	const forced = env['FORCE_COLOR'];
	if (forced !== undefined) return forced !== '0' && forced !== 'false';
	if (!output?.isTTY) return false;
	return typeof output.getColorDepth === 'function' ? output.getColorDepth() > 2 : true;
}
