import type { ExecutionEnvironment, Terminal, TerminalSize } from '#environment/contract.ts';
import { isNarrow } from '../narrow.ts';

/** Of a shell whose place on the page is not known yet. */
export const UNFITTED: TerminalSize = { columns: 80, rows: 24 };

/** The shell a project is shown with. It begins while the page is still being made, so that its prompt is there with the page. */
export class FirstShell {
	#opening: Promise<Terminal> | null = null;

	/** Not where the page has no room to show a terminal at first: nobody may ever look at it. */
	begin(environment: ExecutionEnvironment): void {
		if (isNarrow()) return;
		this.#opening = environment.openTerminal(UNFITTED);
		// Told where it is taken.
		this.#opening.catch(() => {});
	}

	/** The shell, for whoever asks first. Rejects as `openTerminal` does; `null`: none was begun. */
	take(): Promise<Terminal> | null {
		const opening = this.#opening;
		this.#opening = null;
		return opening;
	}
}
