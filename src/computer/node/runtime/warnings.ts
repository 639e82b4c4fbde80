import { invalidArgument } from './errors.ts';
import { string } from './validate.ts';

/** Warning as emitted by `process`. */
export interface Warning extends Error {
	code?: string;
	detail?: string;
}

type Frames = (...args: never[]) => unknown;

/**
 * Creates the warning described by arguments of `process.emitWarning`.
 *
 * @param above function whose callers the stack shows
 * @throws ERR_INVALID_ARG_TYPE
 */
export function warningOf(given: readonly unknown[], above: Frames): Warning {
	const [warning] = given;
	let [, type, code, from] = given;
	let detail: unknown;
	if (typeof type === 'object' && type !== null && !Array.isArray(type)) {
		const options = type as { type?: unknown; code?: unknown; detail?: unknown; ctor?: unknown };
		({ code, detail, ctor: from } = options);
		type = options.type ?? 'Warning';
	} else if (typeof type === 'function') {
		from = type;
		code = '';
		type = 'Warning';
	}
	if (type !== undefined) string(type, 'type');
	if (typeof code === 'function') {
		from = code;
		code = undefined;
	} else if (code !== undefined) string(code, 'code');
	if (warning instanceof Error) return warning;
	if (typeof warning !== 'string') throw invalidArgument('warning', 'of type string or an instance of Error', warning);
	const made: Warning = new Error(warning);
	made.name = String(type ?? 'Warning');
	if (code !== undefined) made.code = String(code);
	if (typeof detail === 'string') made.detail = detail;
	(Error as { captureStackTrace?(error: Error, from: unknown): void }).captureStackTrace?.(made, from ?? above);
	return made;
}

interface Printer {
	pid: number;
	argv0: string;
	noDeprecation?: boolean;
	traceDeprecation?: boolean;
	traceProcessWarnings?: boolean;
	/** Codes or names of warnings that are not shown. */
	disabled: readonly string[];
	write(text: string): void;
}

/** Creates a listener of `warning` that prints. As in Node, it explains once how to trace a warning. */
export function warningPrinter(printer: Printer): (warning: unknown) => void {
	let isExplained = false;
	return (warning) => {
		if (!(warning instanceof Error)) return;
		const { code, detail } = warning as Warning;
		if (printer.disabled.includes(warning.name) || (code && printer.disabled.includes(code))) return;
		const isDeprecation = warning.name === 'DeprecationWarning';
		if (isDeprecation && printer.noDeprecation) return;
		const isTraced = printer.traceProcessWarnings || (isDeprecation && printer.traceDeprecation);
		let text = `(node:${printer.pid}) ${code ? `[${code}] ` : ''}`;
		if (isTraced && warning.stack) text += warning.stack;
		else text += typeof warning.toString === 'function' ? String(warning) : Error.prototype.toString.call(warning);
		if (typeof detail === 'string') text += `\n${detail}`;
		if (!isTraced && !isExplained) {
			isExplained = true;
			const flag = isDeprecation ? '--trace-deprecation' : '--trace-warnings';
			const name = printer.argv0.replace(/^.*\//, '') || 'node';
			text += `\n(Use \`${name} ${flag} ...\` to show where the warning was created)`;
		}
		printer.write(`${text}\n`);
	};
}
