import type { Shell } from '../state/shell.ts';
import { decode, encode } from '#computer/process/text.ts';

/** Menu of `select`. */
export class SelectMenu {
	#isShown = false;

	constructor(
		private readonly shell: Shell,
		private readonly variable: string,
		private readonly items: readonly string[]
	) {}

	/** Shows the menu if needed and reads an answer. Returns false at the end of the input. */
	async ask(): Promise<boolean> {
		const { shell } = this;
		for (;;) {
			if (!this.#isShown) await this.#show();
			await this.#write(shell.variables.get('PS3') ?? '#? ');
			const bytes = await shell.control.race(shell.descriptors.require(0).readUntil(10));
			if (bytes === null) {
				await shell.descriptors.get(1)?.write(encode('\n'));
				return false;
			}
			const reply = decode(bytes).trim();
			shell.variables.set('REPLY', reply);
			if (reply !== '') {
				shell.variables.set(this.variable, /^\d+$/.test(reply) ? (this.items[Number(reply) - 1] ?? '') : '');
				return true;
			}
			this.#isShown = false;
		}
	}

	async #show(): Promise<void> {
		const width = String(this.items.length).length;
		await this.#write(this.items.map((item, index) => `${String(index + 1).padStart(width)}) ${item}\n`).join(''));
		this.#isShown = true;
	}

	async #write(text: string): Promise<void> {
		await this.shell.descriptors.get(2)?.write(encode(text));
	}
}
