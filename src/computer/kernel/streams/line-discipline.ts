import { COOKED, type TerminalSettings } from '#computer/abi/terminal-settings.ts';

const BACKSPACE = new Set([0x08, 0x7f]);
const INTERRUPT = 0x03;
const FEED = 0x0a;
const RETURN = 0x0d;
const decoder = new TextDecoder();

/** Effects of a typed key, apart from editing the line. */
export interface LineEvents {
	echo(text: string): void;
	/** A line (including its end) or, after Ctrl-D, the current unfinished line: an empty one is the end of input. */
	line(bytes: Uint8Array): void;
	interrupt(): void;
}

type Keys = Omit<TerminalSettings, 'feedsReturn'>;

/** Processes keys before a program gets them: lines that can be edited until Enter, signals, and echo. */
export class LineDiscipline {
	#line: number[] = [];
	#escape = false;
	#settings: Keys = COOKED;
	readonly #echoed = new TextDecoder();

	constructor(private readonly events: LineEvents) {}

	type(bytes: Uint8Array, settings: Keys = COOKED): void {
		this.#settings = settings;
		if (settings.lines) for (const byte of bytes) this.#key(byte);
		else this.#singles(bytes);
	}

	/** Passes the unfinished line on: a program that now reads single keys gets it as typed ahead. */
	handOver(): void {
		this.#escape = false;
		if (this.#line.length > 0) this.#send();
	}

	/** Discards the unfinished line, as after Ctrl-C. */
	#clear(): void {
		this.#line = [];
		this.#escape = false;
	}

	/** Passes keys on as they are pressed. */
	#singles(bytes: Uint8Array): void {
		const { signals, echo, returnsAreFeeds } = this.#settings;
		let arrived: number[] = [];
		for (const byte of bytes) {
			if (byte === INTERRUPT && signals) {
				arrived = [];
				this.#interrupt();
			} else arrived.push(byte === RETURN && returnsAreFeeds ? FEED : byte);
		}
		if (arrived.length === 0) return;
		const shown = arrived.filter((byte) => (byte >= 0x20 && byte !== 0x7f) || byte === FEED);
		if (echo) this.events.echo(this.#echoed.decode(Uint8Array.from(shown), { stream: true }));
		this.events.line(Uint8Array.from(arrived));
	}

	#interrupt(): void {
		this.#clear();
		if (this.#settings.echo) this.events.echo('^C\n');
		this.events.interrupt();
	}

	#key(byte: number): void {
		if (this.#inEscape(byte)) return;
		if (byte === INTERRUPT && this.#settings.signals) {
			this.#interrupt();
		} else if (byte === 0x04) {
			this.#send();
		} else if (byte === FEED || (byte === RETURN && this.#settings.returnsAreFeeds)) {
			this.#line.push(FEED);
			this.#echo('\n');
			this.#send();
		} else if (BACKSPACE.has(byte)) {
			this.#erase(1);
		} else if (byte === 0x15) {
			this.#erase(this.#characters().length);
		} else if (byte === 0x17) {
			const text = this.#characters().join('');
			this.#erase([...(/\S*\s*$/.exec(text)?.[0] ?? '')].length);
		} else if (byte >= 0x20 || byte === 0x09) {
			this.#line.push(byte);
			this.#echoLast();
		}
	}

	/** Skips arrow and function keys, which have no meaning here: `ESC [ … letter`. */
	#inEscape(byte: number): boolean {
		if (this.#escape) {
			this.#escape = !(byte >= 0x40 && byte <= 0x7e && byte !== 0x5b && byte !== 0x4f);
			return true;
		}
		this.#escape = byte === 0x1b;
		return this.#escape;
	}

	#send(): void {
		const bytes = Uint8Array.from(this.#line);
		this.#line = [];
		this.events.line(bytes);
	}

	#characters(): string[] {
		return [...decoder.decode(Uint8Array.from(this.#line))];
	}

	/** Echoes a character once its last byte has arrived. */
	#echoLast(): void {
		const last = this.#characters().at(-1);
		if (last !== undefined && last !== '\ufffd') this.#echo(last);
	}

	#erase(count: number): void {
		const characters = this.#characters();
		const kept = characters.slice(0, Math.max(0, characters.length - count));
		const erased = characters.length - kept.length;
		this.#line = [...new TextEncoder().encode(kept.join(''))];
		if (erased > 0) this.#echo('\b \b'.repeat(erased));
	}

	#echo(text: string): void {
		if (this.#settings.echo) this.events.echo(text);
	}
}
