import { splitLines } from '#environment/lines.ts';
import { EVENT_MARK, type TestEvent } from './events.ts';

/** Events of one file, for a reader that comes later and then follows them as they come. */
export class FileEvents {
	#early: TestEvent[] = [];
	#tell: ((event: TestEvent) => void) | null = null;
	#ended: Promise<void> = Promise.resolve();

	add(event: TestEvent): void {
		if (this.#tell) this.#tell(event);
		else this.#early.push(event);
	}

	/** @param ended settles when the file has run */
	endsWith(ended: Promise<void>): void {
		this.#ended = ended;
	}

	/** Passes on what came and what comes, until the file has run. */
	async follow(tell: (event: TestEvent) => void): Promise<void> {
		for (const event of this.#early.splice(0)) tell(event);
		this.#tell = tell;
		await this.#ended;
	}
}

/** Bytes of a child's output in lines. */
export class OutputLines {
	readonly #decoder = new TextDecoder();
	/** Pieces of the line that has no end yet: an event may be a line of megabytes in hundreds of them. */
	#open: string[] = [];

	/** @returns the lines that are complete, with their ends */
	add(bytes: Uint8Array): string[] {
		const lines = splitLines(this.#decoder.decode(bytes, { stream: true }));
		const rest = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '');
		if (lines.length > 0) lines[0] = this.#open.splice(0).join('') + lines[0];
		this.#open.push(rest);
		return lines;
	}

	/** @returns the line without an end, if there is one */
	rest(): string[] {
		const last = this.#open.splice(0).join('') + this.#decoder.decode();
		return last === '' ? [] : [last];
	}
}

/** A line of a child's output as events: what it printed, and what it reports. */
export function eventsOf(line: string): TestEvent[] {
	const at = line.indexOf(EVENT_MARK);
	if (at < 0) return [{ type: 'output', text: line }];
	const event = JSON.parse(line.slice(at + EVENT_MARK.length)) as TestEvent;
	return at === 0 ? [event] : [{ type: 'output', text: line.slice(0, at) }, event];
}
