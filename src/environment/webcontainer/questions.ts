import type { FileSystemAPI, WebContainerProcess } from '@webcontainer/api';
import * as z from 'zod/mini';
import { EnvironmentError } from '../errors.ts';
import { toEnvironmentError } from '../node-errors.ts';
import { FrameReader, toLine } from './frames.ts';

/** A longer question is sent through a file, since a terminal may truncate long lines. */
const MAX_LINE = 3_000;

const Ready = z.object({ ready: z.object({ node: z.string(), directory: z.string() }) });
const Answer = z.object({
	id: z.number(),
	value: z.optional(z.unknown()),
	file: z.optional(z.boolean()),
	error: z.optional(z.object({ code: z.string(), message: z.string() }))
});

interface Waiting {
	resolve: (value: unknown) => void;
	reject: (error: Error) => void;
	spare: string;
}

/** Queries the program in the container for data that its file API lacks. */
export class Questions {
	readonly ready: Promise<z.infer<typeof Ready>['ready']>;
	readonly #writer: WritableStreamDefaultWriter<string>;
	readonly #waiting = new Map<number, Waiting>();
	#last = 0;
	#ended = false;
	/** Questions are sent in order, even if one is sent through a file. */
	#sending: Promise<void> = Promise.resolve();

	/**
	 * @param fs file API; its paths are relative to the container's working directory
	 * @param spareDirectory also relative to that directory
	 * @param absolute makes such a path absolute
	 */
	constructor(
		process: WebContainerProcess,
		private readonly fs: FileSystemAPI,
		private readonly spareDirectory: string,
		private readonly absolute: (path: string) => string
	) {
		this.#writer = process.input.getWriter();
		this.ready = new Promise((resolve, reject) => {
			void this.#listen(process, resolve).then(() => reject(gone()));
		});
		this.ready.catch(() => {
			// The failure is reported to the caller.
		});
	}

	/**
	 * Asks one question and parses the answer.
	 *
	 * @param path path to name in errors
	 * @throws EnvironmentError
	 */
	async ask<Schema extends z.ZodMiniType>(
		op: string,
		request: Record<string, unknown>,
		answer: Schema,
		path?: string
	): Promise<z.infer<Schema>> {
		if (this.#ended) throw gone();
		const id = ++this.#last;
		const spare = `${this.spareDirectory}/${id}`;
		const value = await new Promise<unknown>((resolve, reject) => {
			this.#waiting.set(id, { resolve, reject, spare });
			const text = JSON.stringify({ ...request, id, op, spare: this.absolute(spare) });
			this.#sending = this.#sending.then(() => this.#send(text, `${spare}.question`)).catch(reject);
		}).catch((error: unknown) => {
			throw toEnvironmentError(error, path);
		});
		const parsed = z.safeParse(answer, value);
		if (!parsed.success)
			throw new EnvironmentError('EIO', `The container gave an answer that makes no sense to: ${op}`);
		return parsed.data;
	}

	async #send(text: string, file: string): Promise<void> {
		if (text.length <= MAX_LINE) return this.#writer.write(toLine(text));
		await this.fs.writeFile(file, text);
		await this.#writer.write(toLine(`@${this.absolute(file)}`));
	}

	async #listen(process: WebContainerProcess, isReady: (ready: z.infer<typeof Ready>['ready']) => void): Promise<void> {
		const reader = new FrameReader();
		try {
			for await (const chunk of process.output)
				for (const message of reader.read(chunk)) {
					const first = z.safeParse(Ready, message);
					if (first.success) isReady(first.data.ready);
					else void this.#take(message);
				}
			await process.exit;
		} catch {
			// The container is gone; pending callers are notified.
		}
		this.#ended = true;
		for (const { reject } of this.#waiting.values()) reject(gone());
		this.#waiting.clear();
	}

	async #take(message: unknown): Promise<void> {
		const answer = z.safeParse(Answer, message);
		const waiting = answer.success ? this.#waiting.get(answer.data.id) : undefined;
		if (!answer.success || !waiting) return;
		const { id, value, file, error } = answer.data;
		if (error) waiting.reject(Object.assign(new Error(error.message), { code: error.code }));
		else if (!file) waiting.resolve(value);
		else
			try {
				waiting.resolve(JSON.parse(await this.fs.readFile(waiting.spare, 'utf-8')));
				await this.fs.rm(waiting.spare);
			} catch (reason) {
				waiting.reject(reason instanceof Error ? reason : new Error(String(reason)));
			}
		this.#waiting.delete(id);
	}
}

const gone = (): EnvironmentError =>
	new EnvironmentError('EIO', 'The container has stopped answering. Open the project again to start a new one.');
