import type { Call } from '#computer/shell/state/host.ts';

const ENOUGH = 32_768;

/** Collects a filter's output, so that it is written in larger pieces. */
export class TextOutput {
	#text = '';

	constructor(private readonly call: Call) {}

	add(text: string): void {
		this.#text += text;
	}

	get full(): boolean {
		return this.#text.length > ENOUGH;
	}

	get length(): number {
		return this.#text.length;
	}

	async flush(): Promise<void> {
		if (this.#text === '') return;
		const text = this.#text;
		this.#text = '';
		await this.call.out(text);
	}
}
