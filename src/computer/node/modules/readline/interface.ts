import { completeLine } from './complete.ts';
import { clearScreenDown, cursorTo, moveCursor } from './cursor.ts';
import { emitKeypressEvents } from './keypress.ts';
import type { Key } from './key-decoder.ts';
import { after, before, placeAfter, wordLeft, wordRight } from './layout.ts';
import { LineHistory } from './line-history.ts';
import { LineInterface } from './line-interface.ts';
import { readOptions, type Completer, type Options, type TerminalInput, type TerminalOutput } from './options.ts';

/**
 * `readline.Interface`. At a terminal it reads keys and edits the line itself; prompt packages access its internals by
 * the underscored names, which are Node's.
 */
export class Interface extends LineInterface {
	cursor = 0;
	readonly completer: Completer | undefined;
	readonly isCompletionEnabled = true;
	readonly tabSize: number;
	prevRows = 0;
	/** Set if the last input was one key, not pasted text. */
	_sawKeyPress = false;
	readonly #history: LineHistory;
	#killed = '';
	#returnedMs = 0;
	#wasTab = false;

	constructor(first: Options | TerminalInput, output?: TerminalOutput, completer?: Completer, terminal?: boolean) {
		const options = readOptions(first, output, completer, terminal);
		super(options);
		this.completer = options.completer;
		this.tabSize = options.tabSize ?? 8;
		this.#history = new LineHistory(options);
		if (this.terminal) this.#listenToKeys();
		else this.listen();
		this.input.resume();
	}

	get history(): string[] {
		return this.#history.lines;
	}

	set history(lines: string[]) {
		this.#history.lines = lines;
	}

	get historyIndex(): number {
		return this.#history.index;
	}

	set historyIndex(index: number) {
		this.#history.index = index;
	}

	get columns(): number {
		return this.output?.columns ?? Infinity;
	}

	#listenToKeys(): void {
		const { input, output } = this;
		const pressed = (text: string | undefined, key: Key | undefined) => this._ttyWrite(text, key);
		const resized = () => this._refreshLine();
		const ended = () => {
			if (this.line !== '') this.emit('line', this.line);
			this.close();
		};
		emitKeypressEvents(input, this);
		input.on('keypress', pressed);
		input.on('end', ended);
		output?.on('resize', resized);
		this._setRawMode(true);
		this.once('close', () => {
			input.off('keypress', pressed);
			input.off('end', ended);
			output?.off('resize', resized);
		});
	}

	_setRawMode(raw: boolean): boolean {
		const wasRaw = this.input.isRaw === true;
		this.input.setRawMode?.(raw);
		return wasRaw;
	}

	override prompt(preserveCursor?: boolean): void {
		if (this.paused) this.resume();
		if (!this.terminal) return this._writeToOutput(this.getPrompt());
		if (!preserveCursor) this.cursor = 0;
		this._refreshLine();
	}

	override write(text: string | Uint8Array | null, key?: Partial<Key>): void {
		if (this.paused) this.resume();
		if (!this.terminal) return this._normalWrite(text);
		const full = key && { sequence: '', name: undefined, ctrl: false, meta: false, shift: false, ...key };
		this._ttyWrite(typeof text === 'string' || text === null ? (text ?? undefined) : String(text), full);
	}

	override close(): void {
		if (this.closed) return;
		this.pause();
		if (this.terminal) this._setRawMode(false);
		super.close();
	}

	/** Cursor position relative to the start of the prompt. */
	getCursorPos(): { cols: number; rows: number } {
		return placeAfter(this.getPrompt() + this.line.slice(0, this.cursor), this.columns, this.tabSize);
	}

	_getCursorPos(): { cols: number; rows: number } {
		return this.getCursorPos();
	}

	_getDisplayPos(text: string): { cols: number; rows: number } {
		return placeAfter(text, this.columns, this.tabSize);
	}

	/** Redraws prompt and line. */
	_refreshLine(): void {
		const { output } = this;
		const text = this.getPrompt() + this.line;
		const end = this._getDisplayPos(text);
		const cursor = this.getCursorPos();
		if (output) {
			if (this.prevRows > 0) moveCursor(output, 0, -this.prevRows);
			cursorTo(output, 0);
			clearScreenDown(output);
		}
		this._writeToOutput(text);
		// Most terminals only wrap at the next character.
		if (end.cols === 0) this._writeToOutput(' ');
		if (output) {
			cursorTo(output, cursor.cols);
			if (end.rows > cursor.rows) moveCursor(output, 0, cursor.rows - end.rows);
		}
		this.prevRows = cursor.rows;
	}

	_insertString(text: string): void {
		const isAtEnd = this.cursor === this.line.length;
		const before = this.getCursorPos();
		this.line = this.line.slice(0, this.cursor) + text + this.line.slice(this.cursor);
		this.cursor += text.length;
		const now = this.getCursorPos();
		if (!isAtEnd || now.rows > before.rows || now.cols === 0) this._refreshLine();
		else this._writeToOutput(text);
	}

	/** Removes the text between two positions of the line. */
	#remove(from: number, to: number, keep = false): void {
		if (from >= to) return;
		if (keep) this.#killed = this.line.slice(from, to);
		this.line = this.line.slice(0, from) + this.line.slice(to);
		this.cursor = from;
		this._refreshLine();
	}

	_moveCursor(by: number): void {
		const target = Math.max(0, Math.min(this.line.length, this.cursor + by));
		const was = this.getCursorPos();
		this.cursor = target;
		const now = this.getCursorPos();
		if (was.rows !== now.rows) this._refreshLine();
		else if (this.output) moveCursor(this.output, now.cols - was.cols, 0);
	}

	#goTo(place: number): void {
		this._moveCursor(place - this.cursor);
	}

	/** Leaves the line unchanged and starts a new one below. */
	clearLine(): void {
		this.#goTo(this.line.length);
		this._writeToOutput('\r\n');
		this.line = '';
		this.cursor = 0;
		this.prevRows = 0;
	}

	_line(): void {
		const line = this._addHistory();
		this.clearLine();
		this._onLine(line);
	}

	_addHistory(): string {
		if (this.#history.add(this.line)) this.emit('history', this.history);
		return this.line;
	}

	_historyPrev(): void {
		this.#recall(this.#history.older(this.line, this.cursor));
	}

	_historyNext(): void {
		this.#recall(this.#history.newer(this.line));
	}

	#recall(line: string | null): void {
		if (line === null) return;
		this.line = line;
		this.cursor = line.length;
		this._refreshLine();
	}

	/** Handles a key, or inserted text. */
	_ttyWrite(text: string | undefined, key: Key | undefined): void {
		const wasTab = this.#wasTab;
		this.#wasTab = key?.name === 'tab' && !key.ctrl && !key.meta;
		// Only a line feed right behind a carriage return belongs to it.
		if (key?.name !== 'enter') this.#returnedMs = 0;
		if (key?.ctrl) return this.#controlled(key);
		if (key?.meta) return this.#escaped(key);
		switch (key?.name) {
			case 'return':
				this.#returnedMs = Date.now();
				return this._line();
			case 'enter':
				if (Date.now() - this.#returnedMs > this.crlfDelay) this._line();
				this.#returnedMs = 0;
				return;
			case 'tab':
				if (this.completer) return void completeLine(this, wasTab);
				break;
			case 'escape':
			case 'paste-start':
			case 'paste-end':
				return;
		}
		const edit = EDITS[key?.name ?? ''];
		if (edit) return edit(this.#edits());
		if (text === undefined || text === '') return;
		const [first = '', ...more] = text.split(/\r\n|\n|\r(?!\n)/);
		if (first !== '') this._insertString(first);
		for (const line of more) {
			this._line();
			if (line !== '') this._insertString(line);
		}
	}

	#edits(): Edits {
		const { line, cursor } = this;
		return {
			line,
			cursor,
			goTo: (place) => this.#goTo(place),
			remove: (from, to) => this.#remove(from, to),
			kill: (from, to) => this.#remove(from, to, true),
			older: () => this._historyPrev(),
			newer: () => this._historyNext()
		};
	}

	#controlled(key: Key): void {
		switch (key.name) {
			case 'c':
				if (this.listenerCount('SIGINT') > 0) this.emit('SIGINT');
				else this.close();
				return;
			case 'd':
				if (this.cursor === 0 && this.line === '') return this.close();
				return EDITS['delete']?.(this.#edits());
			case 'y':
				return this._insertString(this.#killed);
			case 'l':
				if (this.output) {
					cursorTo(this.output, 0, 0);
					clearScreenDown(this.output);
				}
				this.prevRows = 0;
				return this._refreshLine();
		}
		CONTROLLED[key.name ?? '']?.(this.#edits());
	}

	#escaped(key: Key): void {
		ESCAPED[key.name ?? '']?.(this.#edits());
	}
}

/** Editing operations for keys. */
interface Edits {
	line: string;
	cursor: number;
	goTo(place: number): void;
	remove(from: number, to: number): void;
	/** Like `remove`, but Ctrl-Y inserts it again. */
	kill(from: number, to: number): void;
	older(): void;
	newer(): void;
}
type Edit = (edits: Edits) => void;

const left: Edit = ({ line, cursor, goTo }) => goTo(before(line, cursor));
const right: Edit = ({ line, cursor, goTo }) => goTo(after(line, cursor));
const home: Edit = ({ goTo }) => goTo(0);
const end: Edit = ({ line, goTo }) => goTo(line.length);
const older: Edit = (edits) => edits.older();
const newer: Edit = (edits) => edits.newer();
const backspace: Edit = ({ line, cursor, remove }) => remove(before(line, cursor), cursor);
const toWordLeft: Edit = ({ line, cursor, goTo }) => goTo(wordLeft(line, cursor));
const toWordRight: Edit = ({ line, cursor, goTo }) => goTo(wordRight(line, cursor));
const killWordLeft: Edit = ({ line, cursor, kill }) => kill(wordLeft(line, cursor), cursor);
const killWordRight: Edit = ({ line, cursor, kill }) => kill(cursor, wordRight(line, cursor));

const EDITS: Record<string, Edit> = {
	left,
	right,
	home,
	end,
	up: older,
	down: newer,
	backspace,
	delete: ({ line, cursor, remove }) => remove(cursor, after(line, cursor))
};
const CONTROLLED: Record<string, Edit> = {
	a: home,
	e: end,
	b: left,
	f: right,
	h: backspace,
	p: older,
	n: newer,
	u: ({ cursor, kill }) => kill(0, cursor),
	k: ({ line, cursor, kill }) => kill(cursor, line.length),
	w: killWordLeft,
	backspace: killWordLeft,
	delete: killWordRight,
	left: toWordLeft,
	right: toWordRight
};
const ESCAPED: Record<string, Edit> = {
	b: toWordLeft,
	f: toWordRight,
	left: toWordLeft,
	right: toWordRight,
	d: killWordRight,
	delete: killWordRight,
	backspace: killWordLeft
};
