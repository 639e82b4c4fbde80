/** A process or worker that exchanges lines of text. */
export interface LineProcess {
	/** Sends one line, without a line ending. Does nothing after the process has ended. */
	send(line: string): void;
	kill(): void;
}

export interface LineListener {
	onLine(line: string): void;
	/** Called once when the process has ended, expectedly or not. */
	onEnd(): void;
}

/** Starts such a process; `null` if something it needs is missing. Rejects if it fails. */
export type StartLineProcess = (listener: LineListener) => Promise<LineProcess | null>;

/** Longest valid line: a process that writes more is malfunctioning. */
const LONGEST_LINE = 4 * 1024 * 1024;

/** Splits incoming data into lines. */
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
