import { commonPrefix, type Completion } from './completion.ts';
import type { History } from './history.ts';
import { type Key, type KeyName, KeyReader } from './keys.ts';
import { LineBuffer } from './line-buffer.ts';
import { Screen } from './screen.ts';
import { textWidth } from './width.ts';

/** Terminal as the editor needs it, already in raw mode. */
export interface EditorTerminal {
	write(text: string): void;
	columns(): number;
}

/** Result of reading a line: a line, Ctrl-C, or Ctrl-D on an empty line. */
export type LineResult = { kind: 'line'; text: string } | { kind: 'cancel' } | { kind: 'end' };

/** Reads lines from a raw terminal, with readline's keys. */
export class LineEditor {
	#keys = new KeyReader();
	#waiting: Key[] = [];
	#line = new LineBuffer();
	#screen: Screen;
	#prompt = '';
	#entry = 0;
	#draft = '';
	#tabs = 0;
	#search: { text: string; at: number } | null = null;

	constructor(
		private readonly terminal: EditorTerminal,
		private readonly history: History,
		private readonly complete: (before: string) => Completion,
		/** Printed after a line that was ended by Ctrl-C. */
		private readonly cancelled = '^C\n'
	) {
		this.#screen = new Screen(
			(text) => terminal.write(text),
			() => terminal.columns()
		);
	}

	/** @param next returns the next input; empty at the end */
	async read(prompt: string, next: () => Promise<Uint8Array>): Promise<LineResult> {
		this.#begin(prompt);
		for (;;) {
			const result = this.#handleWaiting();
			if (result) return result;
			if (!this.#arrived(await next())) return { kind: 'end' };
		}
	}

	/** Like `read`, for a program that sleeps while there is no input. */
	readSync(prompt: string, next: () => Uint8Array): LineResult {
		this.#begin(prompt);
		for (;;) {
			const result = this.#handleWaiting();
			if (result) return result;
			if (!this.#arrived(next())) return { kind: 'end' };
		}
	}

	#begin(prompt: string): void {
		this.#prompt = prompt;
		this.#line = new LineBuffer();
		this.#entry = this.history.lines.length;
		this.#draft = '';
		this.#search = null;
		this.#screen.begin();
	}

	/** Applies the queued keys to the line, until one of them ends it. */
	#handleWaiting(): LineResult | null {
		for (let key = this.#waiting.shift(); key; key = this.#waiting.shift()) {
			const result = this.#handle(key);
			if (result) return result;
		}
		this.#draw();
		return null;
	}

	#arrived(bytes: Uint8Array): boolean {
		this.#waiting.push(...this.#keys.push(bytes));
		return bytes.length > 0;
	}

	/** Redraws the line, for example after the terminal was resized. */
	redraw(): void {
		this.#draw();
	}

	#draw(): void {
		if (!this.#search) return this.#screen.draw(this.#prompt, this.#line.chars, this.#line.cursor);
		this.#screen.draw(`(reverse-i-search)\`${this.#search.text}': `, this.#line.chars, this.#line.cursor);
	}

	#handle(key: Key): LineResult | null {
		if (this.#search && this.#searchKey(key)) return null;
		if (!(key.kind === 'named' && key.name === 'tab')) this.#tabs = 0;
		switch (key.kind) {
			case 'text':
				this.#line.insert(key.text);
				return null;
			case 'control':
				return this.#control(key.letter);
			case 'alt':
				this.#alt(key.letter);
				return null;
			case 'named':
				return this.#named(key.name);
		}
	}

	#control(letter: string): LineResult | null {
		const line = this.#line;
		switch (letter) {
			case 'a':
				line.cursor = 0;
				break;
			case 'e':
				line.cursor = line.chars.length;
				break;
			case 'b':
				line.move(-1);
				break;
			case 'f':
				line.move(1);
				break;
			case 'k':
				line.kill(line.cursor, line.chars.length);
				break;
			case 'u':
				line.kill(0, line.cursor);
				break;
			case 'w':
				line.kill(line.wordStart(), line.cursor);
				break;
			case 'y':
				line.yank();
				break;
			case 'p':
				this.#recall(-1);
				break;
			case 'n':
				this.#recall(1);
				break;
			case 'l':
				this.terminal.write('\x1b[H\x1b[2J');
				this.#screen.begin();
				break;
			case 'r':
				this.#search = { text: '', at: this.history.lines.length };
				break;
			case 'c':
				this.#screen.draw(this.#prompt, line.chars, line.chars.length);
				this.terminal.write(this.cancelled);
				return { kind: 'cancel' };
			case 'd':
				if (line.chars.length === 0) return { kind: 'end' };
				line.delete();
		}
		return null;
	}

	#alt(letter: string): void {
		const line = this.#line;
		if (letter === 'b') line.cursor = line.wordStart();
		if (letter === 'f') line.cursor = line.wordEnd();
		if (letter === 'd') line.kill(line.cursor, line.wordEnd());
		if (letter === '\x7f') line.kill(line.wordStart(), line.cursor);
	}

	#named(name: KeyName): LineResult | null {
		const line = this.#line;
		switch (name) {
			case 'left':
				line.move(-1);
				break;
			case 'right':
				line.move(1);
				break;
			case 'home':
				line.cursor = 0;
				break;
			case 'end':
				line.cursor = line.chars.length;
				break;
			case 'wordLeft':
				line.cursor = line.wordStart();
				break;
			case 'wordRight':
				line.cursor = line.wordEnd();
				break;
			case 'backspace':
				line.backspace();
				break;
			case 'delete':
				line.delete();
				break;
			case 'up':
				this.#recall(-1);
				break;
			case 'down':
				this.#recall(1);
				break;
			case 'tab':
				this.#tab();
				break;
			case 'escape':
				break;
			case 'enter': {
				this.#screen.leave(this.#prompt, line.chars);
				return { kind: 'line', text: line.text };
			}
		}
		return null;
	}

	#recall(step: number): void {
		const { lines } = this.history;
		const next = this.#entry + step;
		if (next < 0 || next > lines.length) return;
		if (this.#entry === lines.length) this.#draft = this.#line.text;
		this.#entry = next;
		this.#line.set(lines[next] ?? this.#draft);
	}

	/** Returns true if the key belonged to the search; any other key ends it and is then handled as usual. */
	#searchKey(key: Key): boolean {
		const search = this.#search;
		if (!search) return false;
		if (key.kind === 'text') search.text += key.text;
		else if (key.kind === 'named' && key.name === 'backspace') search.text = [...search.text].slice(0, -1).join('');
		else if (!(key.kind === 'control' && key.letter === 'r')) {
			this.#search = null;
			if (key.kind === 'control' && key.letter === 'g') this.#line.set('');
			return key.kind === 'named' && key.name === 'escape';
		}
		const again = key.kind === 'control';
		const found =
			search.text === '' ? -1 : this.history.search(search.text, again ? search.at : this.history.lines.length);
		if (found >= 0) {
			search.at = found;
			this.#line.set(this.history.lines[found] ?? '');
			this.#line.cursor = [...(this.#line.text.split(search.text)[0] ?? '')].length;
		}
		return true;
	}

	#tab(): void {
		const { replaces, choices, labels } = this.complete(this.#line.beforeCursor);
		if (choices.length === 0) return;
		const line = this.#line;
		const current = line.chars.slice(line.cursor - replaces, line.cursor).join('');
		const common = commonPrefix(choices);
		if (choices.length === 1 || common.length > current.length) {
			line.chars.splice(line.cursor - replaces, replaces);
			line.cursor -= replaces;
			line.insert(common);
			this.#tabs = 0;
			return;
		}
		if (++this.#tabs < 2) return;
		this.#screen.leave(this.#prompt, line.chars);
		this.terminal.write(inColumns(labels, this.terminal.columns()));
		this.#screen.begin();
	}
}

/** Formats names in columns, as `ls` does. */
function inColumns(labels: readonly string[], columns: number): string {
	const width = Math.max(...labels.map(textWidth)) + 2;
	const perRow = Math.max(1, Math.floor(columns / width));
	const rows = Math.ceil(labels.length / perRow);
	let text = '';
	for (let row = 0; row < rows; row++) {
		for (let at = row; at < labels.length; at += rows)
			text += (labels[at] ?? '') + ' '.repeat(width - textWidth(labels[at] ?? ''));
		text = `${text.trimEnd()}\n`;
	}
	return text;
}
