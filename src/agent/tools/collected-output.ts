import { OutputBuffer } from '#environment/output-buffer.ts';
import type { OutputSink } from './command-run.ts';

/** Output of one run of a command. */
export class CollectedOutput implements OutputSink {
	#buffer = new OutputBuffer();

	add(data: string): void {
		this.#buffer.add(data);
	}

	restart(): void {
		this.#buffer = new OutputBuffer();
	}

	text(): string {
		return this.#buffer.text();
	}
}
