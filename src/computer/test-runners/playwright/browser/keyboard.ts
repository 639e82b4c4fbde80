import type { TestStep } from '#environment/preview-testing.ts';
import { notThere } from './not-there.ts';

/** Playwright's `Keyboard`: sends keys to the focused element. */
export class Keyboard {
	constructor(private readonly take: (step: TestStep) => Promise<void>) {}

	press(key: string): Promise<void> {
		return this.take({ kind: 'press', key });
	}
	type(text: string): Promise<void> {
		return this.take({ kind: 'type', text });
	}
	insertText(text: string): Promise<void> {
		return this.take({ kind: 'type', text });
	}
	down(): never {
		throw notThere('keyboard.down()');
	}
	up(): never {
		throw notThere('keyboard.up()');
	}
}
