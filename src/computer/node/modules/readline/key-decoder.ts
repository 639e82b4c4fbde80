/** Key as passed to listeners of `keypress`. */
export interface Key {
	/** Bytes sent by the terminal. */
	sequence: string;
	name: string | undefined;
	ctrl: boolean;
	meta: boolean;
	shift: boolean;
	/** Code of a function key: the part after the escape character. */
	code?: string;
}

/** Names of function keys by their codes in xterm, rxvt, PuTTY and the Linux console. */
const NAMES: Record<string, string> = {
	...named(['up', 'down', 'right', 'left', 'clear', 'end'], (index) => {
		const letter = 'ABCDEF'[index] ?? '';
		return [`[${letter}`, `O${letter}`];
	}),
	...named(['home'], () => ['[H', 'OH', '[1~', '[7~', '[7$', '[7^']),
	...named(['insert', 'delete'], (index) => [`[${index + 2}~`, `[${index + 2}$`, `[${index + 2}^`]),
	'[4~': 'end',
	...named(['pageup', 'pagedown'], (index) => [
		`[${index + 5}~`,
		`[${index + 5}$`,
		`[${index + 5}^`,
		`[[${index + 5}~`
	]),
	...named(['end'], () => ['[8~', '[8$', '[8^']),
	...named(['f1', 'f2', 'f3', 'f4'], (index) => {
		const letter = 'PQRS'[index] ?? '';
		return [`O${letter}`, `[${letter}`, `[${index + 11}~`];
	}),
	...named(['f1', 'f2', 'f3', 'f4', 'f5'], (index) => [`[[${'ABCDE'[index] ?? ''}`]),
	...Object.fromEntries(
		[15, 17, 18, 19, 20, 21, 23, 24].map((number, index): [string, string] => [`[${number}~`, `f${index + 5}`])
	),
	...named(['up', 'down', 'right', 'left', 'clear'], (index) => {
		const letter = 'abcde'[index] ?? '';
		return [`[${letter}`, `O${letter}`];
	}),
	'[Z': 'tab',
	'[200~': 'paste-start',
	'[201~': 'paste-end'
};
/** Keys whose code alone indicates that Shift or Ctrl was held. */
const SHIFTED = /^(\[[a-e]|\[\d\$|\[Z)$/;
const CONTROLLED = /^(O[a-e]|\[\d\^)$/;

const FUNCTION_KEY = /^\x1b{1,2}(?:O(\d?)([A-Za-z])|\[(\[?)(\d{0,3})(?:;(\d))?([A-Za-z~^$]))/;
const INCOMPLETE = /^\x1b{1,2}(?:O\d?|\[\[?\d{0,3}(?:;\d?)?)?$/;

function named(names: string[], codes: (index: number) => string[]): Record<string, string> {
	return Object.fromEntries(names.flatMap((name, index) => codes(index).map((code) => [code, name])));
}

/** Parses terminal input into keys. A possible prefix of a function key waits for more input. */
export class KeyDecoder {
	#waiting = '';

	/** Returns whether the input so far may be an incomplete sequence. */
	get isWaiting(): boolean {
		return this.#waiting !== '';
	}

	push(text: string): Key[] {
		this.#waiting += text;
		return this.#take(false);
	}

	/** Ends an incomplete sequence: the escape character was a key by itself. */
	giveUp(): Key[] {
		return this.#take(true);
	}

	#take(isAll: boolean): Key[] {
		const keys: Key[] = [];
		while (this.#waiting !== '' && (isAll || !INCOMPLETE.test(this.#waiting))) {
			const key = readKey(this.#waiting);
			this.#waiting = this.#waiting.slice(key.sequence.length);
			keys.push(key);
		}
		return keys;
	}
}

function readKey(text: string): Key {
	const [sequence, application, applied = '', linux = '', number = '', modifier, last = ''] =
		FUNCTION_KEY.exec(text) ?? [];
	if (sequence !== undefined) {
		const isNumbered = /[~^$]/.test(last);
		const code = last === '' ? `O${applied}` : `[${linux}${isNumbered ? number : ''}${last}`;
		// `ESC [ 1 ; 5 C` and the older form `ESC [ 5 C`.
		const held = Number(application || modifier || (isNumbered ? 1 : number) || 1) - 1;
		return {
			sequence,
			name: NAMES[code] ?? 'undefined',
			ctrl: (held & 4) !== 0 || CONTROLLED.test(code),
			meta: (held & 10) !== 0,
			shift: (held & 1) !== 0 || SHIFTED.test(code),
			code
		};
	}
	const escapes = /^\x1b{1,2}(?!$)/.exec(text)?.[0] ?? '';
	const [char = ''] = text.slice(escapes.length);
	return { sequence: escapes + char, ...plainKey(char, escapes !== '') };
}

function plainKey(char: string, meta: boolean): Omit<Key, 'sequence'> {
	const key = { name: undefined, ctrl: false, meta, shift: false };
	const code = char.charCodeAt(0);
	if (char === '\r') return { ...key, name: 'return' };
	if (char === '\n') return { ...key, name: 'enter' };
	if (char === '\t') return { ...key, name: 'tab' };
	if (char === '\b' || char === '\x7f') return { ...key, name: 'backspace' };
	if (char === '\x1b') return { ...key, name: 'escape' };
	if (char === ' ') return { ...key, name: 'space' };
	if (code <= 0x1a && !meta) return { ...key, name: String.fromCharCode(code + 96), ctrl: true };
	if (/^[0-9A-Za-z]$/.test(char)) return { ...key, name: char.toLowerCase(), shift: /[A-Z]/.test(char) };
	return key;
}
