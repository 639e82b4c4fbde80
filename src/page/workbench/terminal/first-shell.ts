import type { ExecutionEnvironment, Terminal, TerminalSize } from '#environment/contract.ts';
import { isNarrow } from '../narrow.ts';

/** Size of a shell without a place on the page. */
export const UNFITTED: TerminalSize = { columns: 80, rows: 24 };

/** The shell a project is shown with. It begins while the page is still being made, so that its prompt is there with the page. */
export class FirstShell {
	#opening: Promise<Terminal> | null = null;

	/** Not started if the page has no room to show a terminal at first: it may never be used. */
	begin(environment: ExecutionEnvironment): void {
		if (isNarrow()) return;
		this.#opening = environment.openTerminal(UNFITTED);
		// The failure is reported to the caller of `take`.
		this.#opening.catch(() => {});
	}

	/** Returns the shell, once. Rejects as `openTerminal` does; `null`: none was started. */
	take(): Promise<Terminal> | null {
		const opening = this.#opening;
		this.#opening = null;
		return opening;
	}
}
