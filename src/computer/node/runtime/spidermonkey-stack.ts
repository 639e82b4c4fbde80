/** Frame as printed by Firefox: `name@file:line:column`, without a name at the top level of a file. */
const FRAME = /^(?<name>[^@]*)@(?<file>.*):(?<line>\d+):(?<column>\d+)$/;

/** Frame in the text of a stack. */
export interface PrintedFrame {
	/** Empty at the top level of a file. */
	name: string;
	file: string;
	line: number;
	column: number;
}

/** Parses the frames of a stack printed by Firefox, innermost first. */
export function parseFrames(stack: string): PrintedFrame[] {
	return stack.split('\n').flatMap((each) => {
		const { name = '', file = '', line, column } = FRAME.exec(each)?.groups ?? {};
		if (line === undefined || column === undefined) return [];
		return [{ name: plainName(name), file, line: Number(line), column: Number(column) }];
	});
}

/** `run/<` is an anonymous function inside `run`; `async*run` is one that was awaited. */
function plainName(name: string): string {
	const awaited = name.replace(/^async\*/, '');
	if (/[/<]$/.test(awaited)) return '<anonymous>';
	const last = awaited.slice(awaited.lastIndexOf('/') + 1);
	return name === awaited || last === '' ? last : `async ${last}`;
}

/**
 * Converts `Error.prototype.stack` and `Error.captureStackTrace` to V8's format, which programs parse and users know,
 * in an engine whose stacks are an accessor of the prototype (Firefox). Changes nothing in other engines.
 *
 * @param translate receives the frames of a stack that was never assigned, and returns the whole text
 */
export function translateStacks(translate: (error: object, frames: PrintedFrame[]) => string): void {
	const own = Object.getOwnPropertyDescriptor(Error.prototype, 'stack');
	const get = own?.get;
	// V8 may have the accessor too, but does not print such frames.
	if (!get || !String(Reflect.apply(get, new Error(), [])).includes('@')) return;
	const translated = new WeakMap<object, string>();
	const rawOf = (error: object): unknown => Reflect.apply(get, error, []);
	Object.defineProperty(Error.prototype, 'stack', {
		...own,
		get(this: object): unknown {
			const known = translated.get(this);
			const raw = known ?? rawOf(this);
			if (known !== undefined || !(this instanceof Error) || typeof raw !== 'string') return raw;
			const text = translate(this, parseFrames(raw));
			translated.set(this, text);
			return text;
		}
	});
	Error.captureStackTrace = (target, above) => {
		const frames = parseFrames(String(rawOf(new Error()))).slice(1);
		const from = above ? frames.findIndex(({ name }) => name !== '' && name === above.name) + 1 : 0;
		const value = translate(target, frames.slice(from));
		Object.defineProperty(target, 'stack', { value, writable: true, configurable: true, enumerable: false });
	};
}
