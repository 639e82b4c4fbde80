/** One setting: `remote.origin.url` is section `remote`, subsection `origin`, name `url`. */
export interface Setting {
	key: string;
	value: string;
	/** Written without `=`, which means true. */
	isBare?: boolean;
	/** Line number in the file. */
	line?: number;
}

/** Part of a configuration file, with its position in the text. */
export interface ConfigItem {
	kind: 'section' | 'setting' | 'comment';
	/** Section, in lower case except for the subsection (`remote.origin`); for a setting, followed by its name. */
	key: string;
	start: number;
	/** After the `]` of a section; after the line of other items. */
	end: number;
	/** Section written as `[a.b]`, whose subsection is case-insensitive. */
	isOldStyle?: boolean;
	setting?: Setting;
}

export interface ParsedConfig {
	items: ConfigItem[];
	/** First line with a syntax error, where parsing stopped; null if there is none. */
	badLine: number | null;
}

/** Parses git's configuration syntax. Stops at the first syntax error. */
export const parseConfig = (text: string): Setting[] => parseItems(text).items.flatMap(({ setting }) => setting ?? []);

/** Parses the syntax into items with positions (https://git-scm.com/docs/git-config#_syntax). */
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

	/** Reads a value; null if it has an invalid escape or an unterminated quote. */
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

	/** Character that an escape stands for; '' for a line continuation, null for an invalid escape. */
	#escaped(): string | null {
		const letter = this.#take();
		if (letter === '\r' && this.text[this.#at] === '\n') this.#take();
		if (letter === '\n' || letter === '\r') return '';
		return { n: '\n', t: '\t', b: '\b', '\\': '\\', '"': '"' }[letter ?? ''] ?? null;
	}
}

/** Key in the form used for comparison: section and name in lower case, subsection unchanged. */
export function normalizeKey(key: string): string {
	const first = key.indexOf('.');
	const last = key.lastIndexOf('.');
	return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase();
}
