import type { CheckerRequest } from '../messages.ts';
import { nextTask } from '../../time-slice.ts';
import { TypeScriptChecker } from './checker.ts';
import type { CompilerHost } from './compiler.ts';

/** Answers requests as they arrive, and checks files in advance in between. */
export class CheckerServer {
	readonly #checker: TypeScriptChecker;
	#isAhead = false;
	#hasStopped = false;

	/** @param reply takes one line, without a line ending */
	constructor(
		host: CompilerHost,
		private readonly reply: (line: string) => void
	) {
		this.#checker = new TypeScriptChecker(host);
	}

	/** @param line a request from the process that started this one */
	receive(line: string): void {
		const request: CheckerRequest = JSON.parse(line);
		this.reply(JSON.stringify(this.#checker.answer(request)));
		// An editor's text changes with each keystroke: results computed in advance would be stale at once.
		if (request.type !== 'language') void this.#workAhead();
	}

	stop(): void {
		this.#hasStopped = true;
	}

	/** Works file by file, so that a request never waits for more than one. */
	async #workAhead(): Promise<void> {
		if (this.#isAhead) return;
		this.#isAhead = true;
		do await nextTask();
		while (!this.#hasStopped && this.#checker.workAhead());
		this.#isAhead = false;
	}
}
