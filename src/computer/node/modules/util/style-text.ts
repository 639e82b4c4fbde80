import { inspect } from 'node-inspect-extracted';
import { invalidArgument } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { colourDepth } from '../tty.ts';
import { boolean, oneOf, string } from '../../runtime/validate.ts';

interface StyleOptions {
	/** False to style whatever the stream is. */
	validateStream?: unknown;
	/** Stream that the text is for; stdout by default. */
	stream?: unknown;
}

interface OutputStream {
	isTTY?: boolean;
	getColorDepth?: () => number;
}

type Codes = readonly [start: number, end: number];

/** Ends both bold and dim. */
const SHARED_END = 22;
/** Bits of a terminal of two colours, which is given no styles. */
const PLAIN_DEPTH = 2;

/** `util.styleText`: styles nothing for a stream without colours, unless `validateStream` is false. */
export function styleTextOf({ process }: Runtime) {
	const hasColours = (stream: OutputStream): boolean => {
		if (process.env['FORCE_COLOR'] !== undefined) return colourDepth(process.env) > PLAIN_DEPTH;
		return stream.isTTY === true && (stream.getColorDepth?.() ?? Infinity) > PLAIN_DEPTH;
	};
	return (format: unknown, text: unknown, { validateStream = true, stream }: StyleOptions = {}): string => {
		string(text, 'text');
		boolean(validateStream, 'options.validateStream');
		const target = stream === undefined ? process.stdout : stream;
		if (validateStream && !isStream(target)) {
			throw invalidArgument('stream', 'an instance of ReadableStream, WritableStream, or Stream', target);
		}
		const codes = codesOf(format);
		if (validateStream && !hasColours(target as OutputStream)) return text as string;
		const inner = codes.reduce(restart, text as string);
		return codes.reduceRight((styled, [start, end]) => `${escape(start)}${styled}${escape(end)}`, inner);
	};
}

const escape = (code: number) => `\x1b[${code}m`;

/** Starts a style again where text inside ends it, as text that is styled itself does. */
function restart(text: string, [start, end]: Codes): string {
	// Bold and dim end with the same code: the other one must end too.
	const replacement = end === SHARED_END ? escape(end) + escape(start) : escape(start);
	const parts = text.split(escape(end));
	const last = parts.at(-1) === '' && parts.length > 1 ? escape(end) + (parts.pop() ?? '') : '';
	return parts.join(replacement) + last;
}

function isStream(value: unknown): boolean {
	if (value instanceof ReadableStream || value instanceof WritableStream) return true;
	if (typeof value !== 'object' || value === null) return false;
	const { on, write, pipe } = value as Record<string, unknown>;
	return typeof on === 'function' && (typeof write === 'function' || typeof pipe === 'function');
}

/** @throws ERR_INVALID_ARG_VALUE for a name that is no style */
function codesOf(format: unknown): Codes[] {
	const colours = inspect.colors as unknown as Record<string, Codes | undefined>;
	const names = [format].flat().filter((name) => name !== 'none') as string[];
	return names.flatMap((name) => {
		const codes = Object.hasOwn(colours, name) ? colours[name] : undefined;
		if (!codes) oneOf(Object.keys(colours))(name, 'format');
		return codes ? [codes] : [];
	});
}
