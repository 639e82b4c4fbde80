const BACKSPACE = new Set([0x08, 0x7f]);
const decoder = new TextDecoder();

/** What a typed key asks for, beyond being part of the line. */
export interface LineEvents {
	echo(text: string): void;
	/** A line (with its end) or, after Ctrl-D, what stands there so far: empty is the end of input. */
	line(bytes: Uint8Array): void;
	interrupt(): void;
}

/** Cooked mode: collects keys into lines, echoes them, and lets the last line be mended before Enter. */
export class LineDiscipline {
	#line: number[] = [];
	#escape = false;

	constructor(private readonly events: LineEvents) {}

	type(bytes: Uint8Array): void {
		for (const byte of bytes) this.#key(byte);
	}

	/** Hands over the line that stands there unfinished: who reads key by key from now on gets it, as typed ahead. */
	handOver(): void {
		this.#escape = false;
		if (this.#line.length > 0) this.#send();
	}

	/** Forgets the line that stands there, as after Ctrl-C. */
	#clear(): void {
		this.#line = [];
		this.#escape = false;
	}

	#key(byte: number): void {
		if (this.#inEscape(byte)) return;
		if (byte === 0x03) {
			this.#clear();
			this.events.echo('^C\n');
			this.events.interrupt();
		} else if (byte === 0x04) {
			this.#send();
		} else if (byte === 0x0d || byte === 0x0a) {
			this.#line.push(0x0a);
			this.events.echo('\n');
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

	/** Arrow and function keys mean nothing here: `ESC [ … letter` is dropped. */
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

	/** Echoes a character once its last byte is there. */
	#echoLast(): void {
		const last = this.#characters().at(-1);
		if (last !== undefined && last !== '\ufffd') this.events.echo(last);
	}

	#erase(count: number): void {
		const characters = this.#characters();
		const kept = characters.slice(0, Math.max(0, characters.length - count));
		const erased = characters.length - kept.length;
		this.#line = [...new TextEncoder().encode(kept.join(''))];
		if (erased > 0) this.events.echo('\b \b'.repeat(erased));
	}
}
