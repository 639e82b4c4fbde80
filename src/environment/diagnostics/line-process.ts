/** A process or worker that takes lines and gives lines. */
export interface LineProcess {
	/** Sends one line, without its end. Does nothing after the end of the process. */
	send(line: string): void;
	kill(): void;
}

export interface LineListener {
	onLine(line: string): void;
	/** Called once when the process has ended, expectedly or not. */
	onEnd(): void;
}

/** Starts one; `null` where what it needs is not there. Rejects where it fails. */
export type StartLineProcess = (listener: LineListener) => Promise<LineProcess | null>;

/** A line that is longer than this is none: what writes it has gone wrong. */
const LONGEST_LINE = 4 * 1024 * 1024;

/** Cuts what arrives into lines. */
export class LineSplitter {
	#rest = '';

	constructor(private readonly onLine: (line: string) => void) {}

	add(text: string): void {
		const lines = (this.#rest + text).split('\n');
		this.#rest = lines.pop() ?? '';
		if (this.#rest.length > LONGEST_LINE) this.#rest = '';
		for (const line of lines) if (line !== '') this.onLine(line);
	}
}
