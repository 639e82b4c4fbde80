import { splitLines } from '#environment/lines.ts';
import { EVENT_MARK, type TestEvent } from './events.ts';

/** Events of one file, for a reader that may start later. */
export class FileEvents {
	#early: TestEvent[] = [];
	#tell: ((event: TestEvent) => void) | null = null;
	#ended: Promise<void> = Promise.resolve();

	add(event: TestEvent): void {
		if (this.#tell) this.#tell(event);
		else this.#early.push(event);
	}

	/** @param ended settles when the file has been run */
	endsWith(ended: Promise<void>): void {
		this.#ended = ended;
	}

	/** Passes on past and future events, until the file has been run. */
	async follow(tell: (event: TestEvent) => void): Promise<void> {
		for (const event of this.#early.splice(0)) tell(event);
		this.#tell = tell;
		await this.#ended;
	}
}

/** Splits a child's output into lines. */
export class OutputLines {
	readonly #decoder = new TextDecoder();
	/** Parts of the incomplete last line: an event may be a line of megabytes in hundreds of parts. */
	#open: string[] = [];

	/** @returns complete lines, including their newlines */
	add(bytes: Uint8Array): string[] {
		const lines = splitLines(this.#decoder.decode(bytes, { stream: true }));
		const rest = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '');
		if (lines.length > 0) lines[0] = this.#open.splice(0).join('') + lines[0];
		this.#open.push(rest);
		return lines;
	}

	/** @returns the incomplete last line, if any */
	rest(): string[] {
		const last = this.#open.splice(0).join('') + this.#decoder.decode();
		return last === '' ? [] : [last];
	}
}

/** Parses a line of a child's output into events: what it printed, and what it reports. */
export function eventsOf(line: string): TestEvent[] {
	const at = line.indexOf(EVENT_MARK);
	if (at < 0) return [{ type: 'output', text: line }];
	const event = JSON.parse(line.slice(at + EVENT_MARK.length)) as TestEvent;
	return at === 0 ? [event] : [{ type: 'output', text: line.slice(0, at) }, event];
}
