import { originalPlace, type Original } from './source-maps.ts';

/**
 * Stack traces as a person at a terminal wants them: the program's own files under their own names,
 * none of ours. V8 asks `Error.prepareStackTrace` when a stack is first read.
 */
const known = new Set<string>();
const WRAPPER_LENGTH = new Map<string, number>();

/** @param name the `sourceURL` a file was evaluated under
 *  @param firstLineShift characters our wrapper put before its first line */
export function rememberSource(name: string, firstLineShift: number): void {
	known.add(name);
	WRAPPER_LENGTH.set(name, firstLineShift);
}

export interface Position {
	file: string;
	line: number;
	column: number;
}

interface StackErrorConstructor {
	prepareStackTrace?: (error: Error, frames: NodeJS.CallSite[]) => unknown;
	stackTraceLimit?: number;
}

const firstPositions = new WeakMap<Error, Position>();

/** Where an error was made, in the program's own files. */
export function positionOf(error: unknown): Position | undefined {
	if (!(error instanceof Error)) return undefined;
	void error.stack;
	return firstPositions.get(error);
}

export function installStackTraces(): void {
	const errors: StackErrorConstructor = Error;
	// Ours are left out below, and must not use up the ten that Node prints.
	errors.stackTraceLimit = 30;
	errors.prepareStackTrace = (error, frames) => {
		const lines: string[] = [];
		for (const [index, frame] of frames.entries()) {
			const file = frame.getScriptNameOrSourceURL();
			if (!file || !known.has(file)) {
				// `Array.map (<anonymous>)` belongs to the program when the program called it.
				const caller = frames[index + 1]?.getScriptNameOrSourceURL();
				if (frame.toString().endsWith('(<anonymous>)') && caller && known.has(caller))
					lines.push(`    at ${frame.toString()}`);
				continue;
			}
			const line = frame.getLineNumber() ?? 1;
			const original = originalPlace(file, line, column(frame, file));
			if (!firstPositions.has(error)) {
				firstPositions.set(error, original ?? { file, line, column: column(frame, file) });
			}
			const text = frameText(frame, file);
			lines.push(`    at ${original ? withPlace(text, file, original) : text}`);
			if (lines.length === 10) break;
		}
		let head: string;
		try {
			head = Error.prototype.toString.call(error);
		} catch {
			head = '<error>';
		}
		return lines.length > 0 ? `${head}\n${lines.join('\n')}` : head;
	};
}

/** The frame's text with the place a person wrote instead of the generated one. */
function withPlace(text: string, file: string, { file: source, line, column: at }: Original): string {
	const start = text.lastIndexOf(file);
	return start < 0 ? text : text.slice(0, start) + text.slice(start).replace(/^.*:\d+:\d+/, `${source}:${line}:${at}`);
}

function column(frame: NodeJS.CallSite, file: string): number {
	const at = frame.getColumnNumber() ?? 1;
	return frame.getLineNumber() === 1 ? Math.max(1, at - (WRAPPER_LENGTH.get(file) ?? 0)) : at;
}

function frameText(frame: NodeJS.CallSite, file: string): string {
	// Ours is the function a file is wrapped in; V8 names it after what evaluated it.
	const text = frame
		.toString()
		.replace(/^(async )?Object\.eval \(/, '$1Object.<anonymous> (')
		.replace(/^(async )?eval \((.*)\)$/, '$1$2');
	if (frame.getLineNumber() !== 1) return text;
	return text.replace(/:1:\d+\)?$/, (end) => `:1:${column(frame, file)}${end.endsWith(')') ? ')' : ''}`);
}
