import type { Channel } from './channel.ts';
import { naming } from './not-there.ts';
import type { PageHandle } from './page-handle.ts';

type Listener = (value: never) => unknown;

interface Decision {
	accept: boolean;
	text?: string | undefined;
}

/**
 * Dialogs of the page, for listeners of a test. The page needs its answer immediately, before a listener can be called,
 * so the answer is derived from the listener's source text; a listener that then decides otherwise fails the test with
 * an explanation.
 */
export class Dialogs {
	#isPrepared = false;

	constructor(
		private readonly channel: Channel,
		private readonly page: PageHandle,
		private readonly listeners: () => Listener[]
	) {}

	async prepare(): Promise<void> {
		const expected = this.#expected();
		if (this.page.url() === 'about:blank' || (!expected && !this.#isPrepared)) return;
		this.#isPrepared = expected !== null;
		await this.channel.ask({
			do: 'step',
			step: { kind: 'answer', answers: expected ? [expected] : [] },
			withinMs: 1_000
		});
	}

	/** @param line of the log: `[dialog] confirm: Sure? → accepted` */
	async opened(line: string, tell: (name: string, value: unknown) => Promise<void>): Promise<void> {
		const [, type = '', message = '', answer] = /^\[dialog\] (\w+): (.*) → (accepted|dismissed)$/s.exec(line) ?? [];
		if (this.listeners().length === 0) return;
		let decided: Decision = { accept: false };
		const dialog = {
			type: () => type,
			message: () => message,
			defaultValue: () => '',
			page: () => this.page,
			accept: (text?: string) => Promise.resolve(void (decided = { accept: true, text })),
			dismiss: () => Promise.resolve(void (decided = { accept: false }))
		};
		await tell('dialog', naming(dialog, 'dialog'));
		if (type !== 'alert' && decided.accept !== (answer === 'accepted'))
			throw new Error(
				`The dialog "${message}" was ${answer}: in a browser tab its answer is taken from the listener's text before it opens. Write page.once('dialog', (dialog) => dialog.accept()) or dialog.dismiss().`
			);
	}

	#expected(): Decision | null {
		const [listener] = this.listeners();
		if (!listener) return null;
		const source = String(listener);
		const [, , text] = /\.accept\((['"`])(.*?)\1\)/.exec(source) ?? [];
		return { accept: /\.accept\(/.test(source), text };
	}
}
