import type { ProcessContext } from '#computer/process/program.ts';
import { concat, encode } from './bytes.ts';
import type { Setting } from './config/config-file.ts';
import { LazyFetch } from './remote/lazy-fetch.ts';
import { escapeLetters } from './quote-path.ts';
import { openRepository, Repository } from './repository.ts';
import { traceSetup } from './setup-trace.ts';
import type { Surroundings } from './surroundings.ts';

const FLUSH_BYTES = 64 * 1024;

/** One run of git, with its working directory and output. */
export class Invocation {
	readonly surroundings: Surroundings;
	readonly #warnings = new Set<string>();
	#repository: Repository | undefined;
	#lazyFetch: LazyFetch | undefined;
	#readsReplacements = true;
	#output: Uint8Array[] = [];
	#size = 0;

	constructor(
		readonly context: ProcessContext,
		readonly cwd: string,
		overrides: readonly Setting[],
		/** Environment for git and its child processes. */
		readonly env: Record<string, string> = context.env,
		/** Set by `git --bare`. */
		readonly isBareAsked = false
	) {
		this.surroundings = {
			files: context.sync,
			cwd,
			env,
			overrides,
			warn: (text) => this.#warn(text),
			err: (text) => this.err(text),
			fetchMissing: (gitDir, store, ids) => {
				this.#lazyFetch ??= new LazyFetch(this.surroundings);
				this.#lazyFetch.fetch(gitDir, store, ids);
			}
		};
	}

	/** @throws GitError if git was not started in a repository */
	get repository(): Repository {
		if (!this.#repository) {
			this.#repository = openRepository(this.surroundings);
			traceSetup(this.surroundings);
			if (!this.#readsReplacements) this.#repository.objects.ignoreReplacements();
			escapeLetters(this.#repository.config.flag('core.quotepath', true));
		}
		return this.#repository;
	}

	/** Makes this run read replaced objects as they are stored. */
	ignoreReplacements(): void {
		this.#readsReplacements = false;
		this.#repository?.objects.ignoreReplacements();
	}

	/** Writes to stdout. */
	out(text: string | Uint8Array): void {
		const bytes = typeof text === 'string' ? encode(text) : text;
		this.#output.push(bytes);
		this.#size += bytes.length;
		if (this.#size >= FLUSH_BYTES) this.flush();
	}

	/** Writes to stderr, after flushing stdout. */
	err(text: string): void {
		this.flush();
		this.context.sync.write(2, encode(text));
	}

	#warn(text: string): void {
		if (this.#warnings.has(text)) return;
		this.#warnings.add(text);
		this.err(`warning: ${text}\n`);
	}

	flush(): void {
		if (this.#size === 0) return;
		const bytes = concat(this.#output);
		this.#output = [];
		this.#size = 0;
		this.context.sync.write(1, bytes);
	}

	/** All of stdin. */
	input(): Uint8Array {
		const parts: Uint8Array[] = [];
		for (;;) {
			const bytes = this.context.sync.read(0, FLUSH_BYTES);
			if (bytes.length === 0) return concat(parts);
			parts.push(bytes);
		}
	}
}

/** Subcommand: receives the arguments after its name, returns the exit code. Throws GitError. */
export type Command = (git: Invocation, args: string[]) => number | Promise<number>;
