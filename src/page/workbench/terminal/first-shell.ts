import type { ExecutionEnvironment, Terminal, TerminalSize } from '#environment/contract.ts';
import { isNarrow } from '../narrow.ts';

/** Size of a shell that is not displayed yet. */
export const UNFITTED: TerminalSize = { columns: 80, rows: 24 };

/**
 * Shell of a project that is being opened. It starts while the page is still being built, so that its prompt appears
 * with the page.
 */
export class FirstShell {
	#opening: Promise<Terminal> | null = null;

	/** Does not start it if the page has no room for a terminal at first: it may never be used. */
	begin(environment: ExecutionEnvironment): void {
		if (isNarrow()) return;
		this.#opening = environment.openTerminal(UNFITTED);
		// The failure is reported to the caller of `take`.
		this.#opening.catch(() => {});
	}

	/** Returns the shell, once. Rejects as `openTerminal` does; `null` if none was started. */
	take(): Promise<Terminal> | null {
		const opening = this.#opening;
		this.#opening = null;
		return opening;
	}
}
