/** Keyboard input. `text` is typed or pasted. */
export type Key =
	| { kind: 'text'; text: string; pasted?: boolean }
	| { kind: 'control'; letter: string }
	| { kind: 'alt'; letter: string }
	| { kind: 'named'; name: KeyName };

export type KeyName =
	| 'up'
	| 'down'
	| 'left'
	| 'right'
	| 'home'
	| 'end'
	| 'delete'
	| 'backspace'
	| 'enter'
	| 'tab'
	| 'escape'
	| 'wordLeft'
	| 'wordRight';

const SEQUENCES: Record<string, KeyName> = {
	'[A': 'up',
	'[B': 'down',
	'[C': 'right',
	'[D': 'left',
	OA: 'up',
	OB: 'down',
	OC: 'right',
	OD: 'left',
	'[H': 'home',
	'[F': 'end',
	OH: 'home',
	OF: 'end',
	'[1~': 'home',
	'[4~': 'end',
	'[7~': 'home',
	'[8~': 'end',
	'[3~': 'delete',
	'[1;5C': 'wordRight',
	'[1;5D': 'wordLeft',
	'[1;3C': 'wordRight',
	'[1;3D': 'wordLeft'
};

const PASTE_START = '\x1b[200~';
const PASTE_END = '\x1b[201~';

/** Parses the bytes of a raw terminal into keys; keeps incomplete sequences. */
export class KeyReader {
	#buffer = '';
	#decoder = new TextDecoder();

	push(bytes: Uint8Array): Key[] {
		this.#buffer += this.#decoder.decode(bytes, { stream: true });
		const keys: Key[] = [];
		for (let key = this.#next(); key; key = this.#next()) keys.push(key);
		return keys;
	}

	#next(): Key | null {
		const text = this.#buffer;
		if (text === '') return null;
		if (text.startsWith(PASTE_START)) {
			const end = text.indexOf(PASTE_END);
			if (end < 0) return null;
			this.#buffer = text.slice(end + PASTE_END.length);
			return { kind: 'text', text: text.slice(PASTE_START.length, end).replace(/\r\n?/g, '\n'), pasted: true };
		}
		if (text[0] === '\x1b') return this.#escape(text);
		const typed = /^[^\x00-\x1f\x7f]+/.exec(text);
		if (typed) {
			this.#buffer = text.slice(typed[0].length);
			return { kind: 'text', text: typed[0] };
		}
		this.#buffer = text.slice(1);
		return control(text.charCodeAt(0));
	}

	#escape(text: string): Key | null {
		const sequence = /^\x1b(\[[0-9;]*[A-Za-z~]|O[A-Z])/.exec(text);
		if (sequence) {
			this.#buffer = text.slice(sequence[0].length);
			const name = SEQUENCES[sequence[1] ?? ''];
			return name ? { kind: 'named', name } : this.#next();
		}
		if (/^\x1b\[[0-9;]*$/.test(text) || /^\x1bO$/.test(text)) return null;
		if (text.length === 1) {
			this.#buffer = '';
			return { kind: 'named', name: 'escape' };
		}
		this.#buffer = text.slice(2);
		return { kind: 'alt', letter: text[1] ?? '' };
	}
}

function control(code: number): Key {
	if (code === 13 || code === 10) return { kind: 'named', name: 'enter' };
	if (code === 9) return { kind: 'named', name: 'tab' };
	if (code === 127 || code === 8) return { kind: 'named', name: 'backspace' };
	return { kind: 'control', letter: String.fromCharCode(code + 96) };
}
