import type { Rights } from '#environment/contract.ts';
import type { StartOptions, ToPage } from '#computer/abi/protocol.ts';
import { errno } from '#computer/abi/errno.ts';
import type { KernelComputer } from '../kernel-computer.ts';
import type { PageSessions } from '../port/page-sessions.ts';
import { TemporaryFiles } from './temporary-files.ts';
import { Trial } from './trial.ts';

/** Trials of one computer that the page has neither applied nor discarded, by the pid of their command. */
export class Trials {
	readonly temporary = new TemporaryFiles();
	readonly #trials = new Map<number, Trial>();

	constructor(
		private readonly computer: KernelComputer,
		private readonly post: (message: ToPage) => void
	) {}

	/** @returns the pid of the command, under which its output and its end are reported */
	start(options: StartOptions, rights: Rights): number {
		const trial = new Trial(this.computer, this.post, options, rights, this.temporary);
		this.#trials.set(trial.pid, trial);
		return trial.pid;
	}

	/** Sessions that contain the command of `pid`, if it runs on trial. */
	sessionsOf(pid: number): PageSessions | undefined {
		return this.#trials.get(pid)?.sessions;
	}

	/** @throws ESRCH */
	get(pid: number): Trial {
		const trial = this.#trials.get(pid);
		if (!trial) throw errno('ESRCH', undefined, `no command ${pid} runs on trial`);
		return trial;
	}

	end(pid: number): void {
		this.#trials.get(pid)?.discard();
		this.#trials.delete(pid);
	}

	endAll(): void {
		for (const pid of [...this.#trials.keys()]) this.end(pid);
	}
}
