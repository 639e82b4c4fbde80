/** Limit for what comes before a mark, bytes: what prints more is no login shell that greets. */
const MAX_BEFORE = 64 * 1024;

/**
 * Leaves out what comes before a mark: a login shell on the way to a script may print what its start files print. Where
 * no mark comes, the script did not begin, and {@link rest} says why.
 */
export class AfterMark {
	#held: Buffer | undefined = Buffer.alloc(0);

	constructor(private readonly mark: string) {}

	/** The part of these bytes that is behind the mark. */
	add(bytes: Buffer): Buffer {
		if (this.#held === undefined) return bytes;
		this.#held = Buffer.concat([this.#held, bytes]);
		const at = this.#held.indexOf(this.mark);
		if (at === -1) return this.#held.length > MAX_BEFORE ? this.#giveUp() : Buffer.alloc(0);
		const behind = this.#held.subarray(at + this.mark.length);
		this.#held = undefined;
		return behind;
	}

	/** Passes everything on from now on: nothing says where the script's own output would begin. */
	#giveUp(): Buffer {
		const held = this.rest();
		this.#held = undefined;
		return held;
	}

	/** Returns the output without a mark. */
	rest(): Buffer {
		return this.#held ?? Buffer.alloc(0);
	}
}
