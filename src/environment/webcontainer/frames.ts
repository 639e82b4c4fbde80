const MARK = '=sandglass=';

/** Finds our messages in terminal output, which may also contain warnings and echoed input. */
export class FrameReader {
	#rest = '';

	/** @returns messages that this chunk completes, not yet validated */
	read(chunk: string): unknown[] {
		const lines = (this.#rest + chunk).split('\n');
		this.#rest = lines.pop() ?? '';
		const messages: unknown[] = [];
		for (const line of lines) {
			if (!line.startsWith(MARK)) continue;
			try {
				messages.push(JSON.parse(line.slice(MARK.length)));
			} catch {
				// Another program printed a line with our prefix.
			}
		}
		return messages;
	}
}

/** Encodes a line as the programs in the container expect it, in ASCII. */
export function toLine(text: string): string {
	const ascii = text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
	return `?${ascii}\n`;
}
