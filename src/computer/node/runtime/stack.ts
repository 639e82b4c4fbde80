import { framesHere, installPrepareStackTrace, type OwnFrame } from './call-sites.ts';
import { originalPlace, type Original } from './source-maps.ts';
import { translateStacks, type PrintedFrame } from './spidermonkey-stack.ts';

/**
 * Stack traces for users: the program's own files under their own names, without our frames. V8 calls
 * `Error.prepareStackTrace` when a stack is first read.
 */
const known = new Set<string>();
const WRAPPER_LENGTH = new Map<string, number>();

/**
 * @param name `sourceURL` under which a file was evaluated
 * @param firstLineShift number of characters that our wrapper added before its first line
 */
export function rememberSource(name: string, firstLineShift: number): void {
	known.add(name);
	WRAPPER_LENGTH.set(name, firstLineShift);
}

export interface Position {
	file: string;
	line: number;
	column: number;
}

/** Number of frames that Node prints. */
const PRINTED = 10;
/** Number of frames that V8 records, including ours. */
const OWN_LIMIT = 30;

interface StackErrorConstructor {
	stackTraceLimit?: number;
}

const firstPositions = new WeakMap<Error, Position>();

/** Position where an error was created, in the program's own files. */
export function positionOf(error: unknown): Position | undefined {
	if (!(error instanceof Error)) return undefined;
	void error.stack;
	return firstPositions.get(error);
}

/** The program's frames among these, in printed form. */
function ownFrames(frames: NodeJS.CallSite[]): OwnFrame[] {
	const own: OwnFrame[] = [];
	for (const [index, frame] of frames.entries()) {
		const file = frame.getScriptNameOrSourceURL();
		if (file && known.has(file)) {
			const line = frame.getLineNumber() ?? 1;
			own.push({ frame, file, line, column: column(frame, file), text: frameText(frame, file) });
			continue;
		}
		// `Array.map (<anonymous>)` belongs to the program if the program called it.
		const caller = frames[index + 1]?.getScriptNameOrSourceURL();
		const text = frame.toString();
		if (text.endsWith('(<anonymous>)') && caller && known.has(caller))
			own.push({ frame, file: '', line: 0, column: 0, text });
	}
	return own;
}

/** Current calls of the program, innermost first; at most `count`. */
export function callSites(
	count: number
): { functionName: string; scriptName: string; lineNumber: number; column: number }[] {
	const errors: StackErrorConstructor = Error;
	const limit = errors.stackTraceLimit;
	errors.stackTraceLimit = count + OWN_LIMIT;
	const frames = ownFrames(framesHere()).slice(0, count);
	errors.stackTraceLimit = limit;
	return frames.map(({ frame, file, line, column: at }) => {
		const name = frame.getFunctionName();
		return {
			functionName: name === null || name === 'eval' ? '' : name,
			scriptName: file,
			lineNumber: line,
			column: at
		};
	});
}

export function installStackTraces(): void {
	const errors: StackErrorConstructor = Error;
	// Our frames are omitted, and must not count towards the ten that Node prints.
	errors.stackTraceLimit = OWN_LIMIT;
	installPrepareStackTrace((error, frames) => {
		// The limit applies when V8 records the frames, before this: a smaller one set since has no effect.
		const limit = errors.stackTraceLimit === OWN_LIMIT ? PRINTED : Number(errors.stackTraceLimit);
		const lines = ownFrames(frames)
			.slice(0, Math.max(limit, PRINTED))
			.map(({ file, line, column: at, text }) => {
				if (file === '') return `    at ${text}`;
				const original = originalPlace(file, line, at);
				if (!firstPositions.has(error)) firstPositions.set(error, original ?? { file, line, column: at });
				return `    at ${original ? withPlace(text, file, original) : text}`;
			});
		return [headOf(error), ...lines].join('\n');
	}, ownFrames);
	translateStacks(inV8Form);
}

function headOf(error: object): string {
	try {
		return Reflect.apply(Error.prototype.toString, error, []);
	} catch {
		return '<error>';
	}
}

/** Formats the stack of an error from frames printed by another engine. */
function inV8Form(error: object, frames: PrintedFrame[]): string {
	const lines = frames
		.filter(({ file }) => known.has(file))
		.slice(0, PRINTED)
		.map(({ name, file, line, column: at }) => {
			const shifted = columnIn(file, line, at);
			const place = originalPlace(file, line, shifted) ?? { file, line, column: shifted };
			if (error instanceof Error && !firstPositions.has(error)) firstPositions.set(error, place);
			const text = `${place.file}:${place.line}:${place.column}`;
			return `    at ${name === '' ? text : `${name} (${text})`}`;
		});
	return [headOf(error), ...lines].join('\n');
}

/** Replaces the generated position in a frame's text by the original one. */
function withPlace(text: string, file: string, { file: source, line, column: at }: Original): string {
	const start = text.lastIndexOf(file);
	return start < 0 ? text : text.slice(0, start) + text.slice(start).replace(/^.*:\d+:\d+/, `${source}:${line}:${at}`);
}

function column(frame: NodeJS.CallSite, file: string): number {
	return columnIn(file, frame.getLineNumber(), frame.getColumnNumber() ?? 1);
}

/** Column in the file itself, without what our wrapper adds before its first line. */
function columnIn(file: string, line: number | null, at: number): number {
	return line === 1 ? Math.max(1, at - (WRAPPER_LENGTH.get(file) ?? 0)) : at;
}

function frameText(frame: NodeJS.CallSite, file: string): string {
	// Our wrapper function of a file; V8 names it after the code that evaluated it.
	const text = frame
		.toString()
		.replace(/^((?:async |new )?(?:[^ (]+\.)?)eval \(/, (all, before: string) =>
			/[.]$|new $/.test(before) ? `${before}<anonymous> (` : all
		)
		.replace(/^(async )?eval \((.*)\)$/, '$1$2')
		.replace(/^([^ (]+\.)eval \[as (\S+)\] \(/, '$1$2 (');
	if (frame.getLineNumber() !== 1) return text;
	return text.replace(/:1:\d+\)?$/, (end) => `:1:${column(frame, file)}${end.endsWith(')') ? ')' : ''}`);
}
