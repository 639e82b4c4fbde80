import type { BootMessage } from '#computer/abi/protocol.ts';
import { startWorker } from '#computer/abi/start-worker.ts';
import { FrameWorker } from './frame-worker.ts';
import type { Prepared, PrepareMessage } from '#computer/abi/wire.ts';
import type { Process } from './process.ts';
import { StartQueue } from './start-queue.ts';

/** Method by which the frame's browser starts a script without a URL. */
export type WorkerScheme = BootMessage['scheme'];

/** Delay before the next spare worker is created: the process that took the last one should start first. */
const SPARE_DELAY_MS = 30;
/** Delay if the worker may be returned before: most commands end sooner. */
const RETURN_MS = 250;
/**
 * Number of spare workers for a program in use: commands often follow each other immediately. Initially there is one.
 */
const SPARES = 2;
/** Number of uses of a worker, so that memory left over by commands does not accumulate. */
const USES = 200;

/** Creates workers for processes; for programs in `hot`, some always wait with their script evaluated. */
export class WorkerPool {
	#texts = new Map<string, Promise<string>>();
	/** Scripts as blobs: a script of megabytes is encoded once, not for each of its workers. */
	#scripts = new Map<string, Blob>();
	#spares = new Map<string, Worker[]>();
	#uses = new WeakMap<Worker, number>();
	readonly #queue = new StartQueue();
	#beginning = new WeakMap<Worker, () => void>();
	#closed = false;

	/**
	 * @param loadText requests a program's script from the page
	 * @param heavy programs for which one spare worker is enough
	 * @param reusable programs whose workers may run several processes in sequence
	 * @param prepare provides what workers of a program get before they start; null: nothing
	 */
	constructor(
		private readonly scheme: WorkerScheme,
		private readonly hot: readonly string[],
		private readonly loadText: (program: string) => Promise<string>,
		private readonly heavy: readonly string[] = [],
		private readonly reusable: ReadonlySet<string> = new Set(),
		private readonly prepare: (program: string) => Promise<Prepared | null> = () => Promise.resolve(null)
	) {}

	/**
	 * Returns a worker in which `program` waits for its start message, or `null` if the process has ended
	 * meanwhile. If many are requested at once, each waits until some before it have started: `began` must be
	 * called for each.
	 * @param fresh excludes spare workers: the last one did not start
	 */
	async take(program: string, process: Process, fresh = false): Promise<Worker | null> {
		const spare = fresh ? undefined : this.#spares.get(program)?.shift();
		if (this.hot.includes(program)) {
			const delay = this.reusable.has(program) ? RETURN_MS : SPARE_DELAY_MS;
			setTimeout(() => void this.warm(program, this.#wanted(program)), delay);
		}
		if (spare) return spare;
		const text = await this.#text(program);
		const leave = await this.#queue.enter(process.session);
		if (process.ended) {
			leave();
			return null;
		}
		try {
			const worker = this.#create(text, program);
			this.#beginning.set(worker, leave);
			return worker;
		} catch (error) {
			leave();
			throw error;
		}
	}

	/** Marks a worker whose program runs, or never will, as started. */
	began(worker: Worker): void {
		this.#beginning.get(worker)?.();
		this.#beginning.delete(worker);
	}

	/** Takes back a worker whose program has ended cleanly, to run the next process. */
	giveBack(program: string, worker: Worker): void {
		const uses = (this.#uses.get(worker) ?? 0) + 1;
		this.#uses.set(worker, uses);
		const spares = this.#spares.get(program) ?? [];
		worker.onerror = null;
		if (this.#closed || !this.reusable.has(program) || uses >= USES || spares.length >= SPARES) worker.terminate();
		// Prefer reused workers: already warmed up.
		else this.#spares.set(program, [worker, ...spares]);
	}

	/** Number of spares wanted. Returned workers count as spares as well. */
	#wanted(program: string): number {
		return this.heavy.includes(program) || this.reusable.has(program) ? 1 : SPARES;
	}

	/**
	 * Creates spares, so that the next starts need no evaluation. A program that cannot be loaded fails when it is
	 * started.
	 */
	async warm(program: string, count = 1): Promise<void> {
		const text = await this.#text(program).catch(() => null);
		if (text === null || this.#closed) return;
		const spares = this.#spares.get(program) ?? [];
		this.#spares.set(program, spares);
		while (spares.length < count) spares.push(this.#create(text, program));
	}

	#create(text: string, program: string): Worker {
		const worker = this.#createWorker(text, program);
		const tell = (message: PrepareMessage) => worker.postMessage(message);
		this.prepare(program).then(
			(prepared) => prepared && tell({ type: 'prepare', prepared }),
			(error: unknown) => tell({ type: 'prepare', failed: error instanceof Error ? error.message : String(error) })
		);
		return worker;
	}

	close(): void {
		this.#closed = true;
		for (const spare of [...this.#spares.values()].flat()) spare.terminate();
		this.#spares.clear();
	}

	#text(program: string): Promise<string> {
		const known = this.#texts.get(program);
		if (known) return known;
		const text = this.loadText(program);
		this.#texts.set(program, text);
		text.catch(() => this.#texts.delete(program));
		return text;
	}

	#createWorker(text: string, program: string): Worker {
		// FrameWorker implements the part of the Worker interface that the kernel uses.
		if (this.scheme === 'frame') return new FrameWorker(text, program) as unknown as Worker;
		if (this.scheme === 'data') return startWorker('data', text, program);
		const script = this.#scripts.get(program) ?? new Blob([text], { type: 'text/javascript' });
		this.#scripts.set(program, script);
		// A separate URL for each: a program could revoke the one it was started from.
		const url = URL.createObjectURL(script);
		const worker = new Worker(url, { name: program });
		setTimeout(() => URL.revokeObjectURL(url), 60_000);
		return worker;
	}
}
