import * as z from 'zod/mini';
import type { ProjectHookTrust } from '#agent/extensions/project-hooks/load.ts';
import type { ProjectHook } from '#agent/extensions/project-hooks/settings.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { StoredSession } from '#session/contract.ts';

const KEY = 'hooks';
const Decision = z.object({ text: z.string(), allowed: z.boolean() });

/** Current settings file of the project. */
interface FoundHooks {
	text: string;
	hooks: readonly ProjectHook[];
	/** Reason why the file is invalid. */
	problem: string | null;
}

/**
 * The user's decision about commands that a project runs automatically. It applies to one version of the settings file:
 * after any change, the hooks are off until the user decides again.
 */
export class HookTrust implements ProjectHookTrust {
	/** `null` if the project has no settings file. */
	found: FoundHooks | null = $state.raw(null);
	#decision: z.infer<typeof Decision> | null = $state.raw(null);
	#reading: Promise<void> = Promise.resolve();
	readonly #unsubscribe: () => void;

	private constructor(
		private readonly environment: ExecutionEnvironment,
		private readonly stored: StoredSession,
		private readonly fail: (error: unknown) => void
	) {
		const file = `${environment.workingDirectory().replace(/\/$/, '')}/.sandglass`;
		const concerns = (path: string | undefined): boolean => path === file || path?.startsWith(`${file}/`) === true;
		this.#unsubscribe = environment.onChange(({ path, to }) => {
			if (concerns(path) || concerns(to)) this.#refresh().catch(fail);
		});
	}

	/** Reads the project's settings file and the decision about it. */
	static async open(
		environment: ExecutionEnvironment,
		stored: StoredSession,
		fail: (error: unknown) => void
	): Promise<HookTrust> {
		const trust = new HookTrust(environment, stored, fail);
		const kept = z.safeParse(Decision, await stored.readPageState<unknown>(KEY));
		if (kept.success) trust.#decision = kept.data;
		await trust.#refresh();
		return trust;
	}

	/** True if the user has not decided about the current version of the file. */
	get isOpen(): boolean {
		return this.hasHooks && this.#decision?.text !== this.found?.text;
	}

	/** True if the user decided about an earlier version of the file. */
	get hasChanged(): boolean {
		return this.isOpen && this.#decision !== null;
	}

	get hasHooks(): boolean {
		return this.found !== null && this.found.hooks.length > 0;
	}

	get areAllowed(): boolean {
		return this.found !== null && this.isTrusted(this.found.text);
	}

	isTrusted(text: string): boolean {
		return this.#decision?.allowed === true && this.#decision.text === text;
	}

	/** Stores the user's decision about the displayed version of the file; it applies from the next message on. */
	async settle(allowed: boolean): Promise<void> {
		if (!this.found) return;
		this.#decision = { text: this.found.text, allowed };
		await this.stored.writePageState(KEY, this.#decision).catch(this.fail);
	}

	leave(): void {
		this.#unsubscribe();
	}

	/** Reads the file after any read in progress, so that the last state is kept. */
	#refresh(): Promise<void> {
		const read = this.#reading.then(async () => {
			const { readHooks } = await import('./read-hooks.ts');
			this.found = await readHooks(this.environment);
		});
		this.#reading = read.catch(() => undefined);
		return read;
	}
}
