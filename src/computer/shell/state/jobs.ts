import type { Control } from './control.ts';

/** Background work started with `&`. */
export interface Job {
	number: number;
	/** Value of `$!`: the process, or an invented number for a job that runs inside the shell. */
	pid: number;
	/** The kernel's process groups of this job, for `kill`. */
	processes: Set<number>;
	/** Traps of the part inside the shell. */
	traps: ReadonlyMap<string, string>;
	control: Control;
	command: string;
	/** The exit status, null while it runs. */
	status: number | null;
	finished: Promise<number>;
	/** Resolves when its first process has started. */
	started: Promise<void>;
	/** Set if it is a single process of the kernel, which continues without the shell. */
	isProcess?: boolean;
	/** Set if SIGINT only reaches its processes that catch it. */
	ignoresInterrupt?: boolean;
	/** Set if `kill` has ended it. */
	isKilled?: boolean;
	/** Set for the process of `<(…)` and `>(…)`, which can be waited for and has no job number. */
	substitution?: 'writer' | 'reader';
	/** Set if the user was notified of its end. */
	reported: boolean;
}

const isNumbered = (job: Job) => job.substitution === undefined;

/** The background jobs of one shell. */
export class Jobs {
	#jobs: Job[] = [];

	#inherited: readonly Job[] = [];

	/** A subshell has none of its parent's jobs, but can list them (`jobs | wc -l`). */
	fork(): Jobs {
		const copy = new Jobs();
		copy.#inherited = [...this.#inherited, ...this.#jobs];
		return copy;
	}

	/** Jobs listed by `jobs`. */
	listed(): readonly Job[] {
		const own = this.#jobs.filter(isNumbered);
		return own.length ? own : this.#inherited.filter(isNumbered);
	}

	add(job: Omit<Job, 'number' | 'reported'>): Job {
		// A job releases its number once its end was reported.
		const shown = this.#jobs.filter((known) => isNumbered(known) && (known.status === null || !known.reported));
		const number = Math.max(0, ...shown.map((known) => known.number)) + 1;
		const entry = { ...job, number, reported: false };
		this.#jobs.push(entry);
		return entry;
	}

	all(): readonly Job[] {
		return this.#jobs;
	}

	/** Statuses of jobs that are no longer listed, by pid. */
	#ended = new Map<number, number>();

	/** Status of a job that has ended and is no longer listed. */
	statusOf(pid: number): number | undefined {
		return this.#ended.get(pid);
	}

	/** Keeps only the statuses of jobs that have ended. */
	forgetEnded(): void {
		if (this.#jobs.length === 0) return;
		for (const { pid, status } of this.#jobs) if (status !== null) this.#ended.set(pid, status);
		this.#jobs = this.#jobs.filter((job) => job.status === null);
	}

	/** `%1`, `%%`, `%+`, `%-`, `%name` or a pid. */
	find(specification: string): Job | undefined {
		if (/^\d+$/.test(specification)) return this.#jobs.find((job) => job.pid === Number(specification));
		if (!specification.startsWith('%')) return undefined;
		const which = specification.slice(1);
		const running = this.#jobs.filter((job) => isNumbered(job) && job.status === null);
		if (which === '' || which === '%' || which === '+') return running.at(-1) ?? this.#killed();
		if (which === '-') return running.at(-2) ?? running.at(-1);
		if (/^\d+$/.test(which)) return this.#jobs.findLast((job) => isNumbered(job) && job.number === Number(which));
		return this.#jobs.find((job) => isNumbered(job) && job.command.startsWith(which));
	}

	/** Returns the last job that `kill` has ended: `kill %%; wait %%` refers to one job, however soon it ends. */
	#killed(): Job | undefined {
		return this.#jobs.findLast((job) => isNumbered(job) && job.isKilled && !job.reported);
	}

	/** Turns an ended job into one that is only known by its pid. */
	retire(job: Job, status: number): void {
		this.#ended.set(job.pid, status);
		this.forget(job);
	}

	forget(job: Job): void {
		this.#jobs = this.#jobs.filter((known) => known !== job);
	}
}
