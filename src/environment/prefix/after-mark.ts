/** Limit for output before a mark, in bytes: a login shell's greeting is shorter. */
const MAX_BEFORE = 64 * 1024;

/**
 * Removes the output before a mark: a login shell that starts the script may print output of its startup files. If no
 * mark appears, the script did not start, and {@link rest} tells why.
 */
export class AfterMark {
	#held: Buffer | undefined = Buffer.alloc(0);

	constructor(private readonly mark: string) {}

	/** Returns the part of these bytes after the mark. */
	add(bytes: Buffer): Buffer {
		if (this.#held === undefined) return bytes;
		this.#held = Buffer.concat([this.#held, bytes]);
		const at = this.#held.indexOf(this.mark);
		if (at === -1) return this.#held.length > MAX_BEFORE ? this.#giveUp() : Buffer.alloc(0);
		const behind = this.#held.subarray(at + this.mark.length);
		this.#held = undefined;
		return behind;
	}

	/** Passes on everything from now on: the start of the script's own output is unknown. */
	#giveUp(): Buffer {
		const held = this.rest();
		this.#held = undefined;
		return held;
	}

	/** Returns the output so far if no mark appeared. */
	rest(): Buffer {
		return this.#held ?? Buffer.alloc(0);
	}
}
