/** One setting: `remote.origin.url` is section `remote`, subsection `origin`, name `url`. */
export interface Setting {
	key: string;
	value: string;
	/** It stands without `=`, which counts as true. */
	isBare?: boolean;
	/** Number of its line. */
	line?: number;
}

/** A piece of a configuration file, with its place in the text. */
export interface ConfigItem {
	kind: 'section' | 'setting' | 'comment';
	/** Section, lower case but for the subsection: `remote.origin`; of a setting with its name. */
	key: string;
	start: number;
	/** Behind the `]` of a section; behind the line of the others. */
	end: number;
	/** A section as `[a.b]`, whose case does not count. */
	isOldStyle?: boolean;
	setting?: Setting;
}

export interface ParsedConfig {
	items: ConfigItem[];
	/** First line that makes no sense; null if all do. Nothing behind it was read. */
	badLine: number | null;
}

/** Reads git's configuration syntax. What it does not understand, and what follows, it leaves out. */
export const parseConfig = (text: string): Setting[] => parseItems(text).items.flatMap(({ setting }) => setting ?? []);

/** Reads the syntax with the places of its pieces (https://git-scm.com/docs/git-config#_syntax). */
export function parseItems(text: string): ParsedConfig {
	return new ConfigReader(text).read();
}

class ConfigReader {
	#at = 0;
	#line = 1;
	#section = '';
	readonly #items: ConfigItem[] = [];

	constructor(private readonly text: string) {
		if (text.startsWith('\ufeff')) this.#at = 1;
	}

	read(): ParsedConfig {
		for (;;) {
			this.#skip(/\s/);
			const letter = this.text[this.#at];
			if (letter === undefined) return { items: this.#items, badLine: null };
			const line = this.#line;
			const isRead =
				letter === '#' || letter === ';' ? this.#comment() : letter === '[' ? this.#header() : this.#setting();
			if (!isRead) return { items: this.#items, badLine: isRead === null ? line : this.#line };
		}
	}

	#skip(kind: RegExp): void {
		for (let letter = this.text[this.#at]; letter !== undefined && kind.test(letter); letter = this.text[this.#at])
			this.#take();
	}

	#take(): string | undefined {
		const letter = this.text[this.#at++];
		if (letter === '\n') this.#line++;
		return letter;
	}

	#comment(): true {
		const start = this.#at;
		const end = this.text.indexOf('\n', start);
		this.#at = end < 0 ? this.text.length : end + 1;
		if (end >= 0) this.#line++;
		this.#items.push({ kind: 'comment', key: this.#section, start, end: this.#at });
		return true;
	}

	#header(): boolean {
		const start = this.#at;
		const match = /\[([\w.-]+)(?:[^\S\n]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
		match.lastIndex = start;
		const found = match.exec(this.text);
		if (!found) return false;
		this.#at = match.lastIndex;
		const [, name = '', subsection] = found;
		this.#section = name.toLowerCase() + (subsection === undefined ? '' : `.${subsection.replace(/\\(.)/g, '$1')}`);
		const isOldStyle = subsection === undefined;
		this.#items.push({ kind: 'section', key: this.#section, start, end: this.#at, isOldStyle });
		return true;
	}

	#setting(): boolean {
		const start = this.#at;
		const line = this.#line;
		const match = /([A-Za-z][A-Za-z0-9-]*)[^\S\n]*/y;
		match.lastIndex = start;
		const [all = '', name = ''] = match.exec(this.text) ?? [];
		if (name === '' || this.#section === '') return false;
		this.#at += all.length;
		const key = `${this.#section}.${name.toLowerCase()}`;
		const next = this.text[this.#at];
		if (next === undefined || next === '\n' || next === '\r') {
			this.#take();
			if (next === '\r') this.#take();
			const setting = { key, value: 'true', isBare: true, line };
			this.#items.push({ kind: 'setting', key, start, end: Math.min(this.#at, this.text.length), setting });
			return true;
		}
		if (next !== '=') return false;
		this.#at++;
		const value = this.#value();
		if (value === null) return false;
		this.#items.push({ kind: 'setting', key, start, end: this.#at, setting: { key, value, line } });
		return true;
	}

	/** Null where it has a wrong escape or no end of its quotes. */
	#value(): string | null {
		let value = '';
		let blanks = '';
		let isQuoted = false;
		for (;;) {
			const letter = this.text[this.#at];
			if (letter === undefined || letter === '\n') {
				if (isQuoted) return null;
				if (letter === '\n') this.#take();
				return value;
			}
			this.#at++;
			if (!isQuoted && /\s/.test(letter)) {
				if (value !== '') blanks += ' ';
			} else if (!isQuoted && (letter === '#' || letter === ';')) {
				const end = this.text.indexOf('\n', this.#at);
				this.#at = end < 0 ? this.text.length : end;
			} else if (letter === '"') {
				isQuoted = !isQuoted;
				[value, blanks] = [value + blanks, ''];
			} else {
				const piece = letter === '\\' ? this.#escaped() : letter;
				if (piece === null) return null;
				if (piece !== '') [value, blanks] = [value + blanks + piece, ''];
			}
		}
	}

	/** Letter that stands behind a backslash; nothing where a line goes on. */
	#escaped(): string | null {
		const letter = this.#take();
		if (letter === '\r' && this.text[this.#at] === '\n') this.#take();
		if (letter === '\n' || letter === '\r') return '';
		return { n: '\n', t: '\t', b: '\b', '\\': '\\', '"': '"' }[letter ?? ''] ?? null;
	}
}

/** The key as settings are compared: section and name in lower case, the subsection as it is. */
export function normalizeKey(key: string): string {
	const first = key.indexOf('.');
	const last = key.lastIndexOf('.');
	return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase();
}
