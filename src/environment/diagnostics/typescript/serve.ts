import type { CheckerRequest } from '../messages.ts';
import { nextTask } from '../../time-slice.ts';
import { TypeScriptChecker } from './checker.ts';
import type { CompilerHost } from './compiler.ts';

/** Answers requests as they come, and between them finds out what is wrong already. */
export class CheckerServer {
	readonly #checker: TypeScriptChecker;
	#isAhead = false;
	#hasStopped = false;

	/** @param reply takes one line, without its end */
	constructor(
		host: CompilerHost,
		private readonly reply: (line: string) => void
	) {
		this.#checker = new TypeScriptChecker(host);
	}

	/** @param line a request, from who started this */
	receive(line: string): void {
		const request: CheckerRequest = JSON.parse(line);
		this.reply(JSON.stringify(this.#checker.answer(request)));
		// An editor's text changes with each key: what is found out in advance would not last.
		if (request.type !== 'language') void this.#workAhead();
	}

	stop(): void {
		this.#hasStopped = true;
	}

	/** File by file, so that a request never waits for more than one. */
	async #workAhead(): Promise<void> {
		if (this.#isAhead) return;
		this.#isAhead = true;
		do await nextTask();
		while (!this.#hasStopped && this.#checker.workAhead());
		this.#isAhead = false;
	}
}
