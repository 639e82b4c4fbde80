/** Context of a `resolve` hook besides the specifier. */
export interface ResolveContext {
	parentURL: string | undefined;
	conditions: string[];
	importAttributes: Record<string, string>;
}

export interface Resolution {
	url: string;
	format?: string | null | undefined;
	shortCircuit?: boolean;
}

/** Context of a `load` hook besides the address. */
export interface LoadContext {
	format: string | null | undefined;
	conditions: string[];
	importAttributes: Record<string, string>;
}

/** A module as a `load` hook gives it; without a source the loader takes the file's own. */
export interface Loaded {
	format?: string | null | undefined;
	source?: string | ArrayBuffer | ArrayBufferView | null | undefined;
	shortCircuit?: boolean;
}

/** A function in front of the loader; `next` asks the one before it, or the loader itself. */
export type Hook<Context, Result> = (
	name: string,
	context: Context,
	next: (name: string, context?: Partial<Context>) => Result
) => Result;
export type ResolveHook = Hook<ResolveContext, Resolution>;
export type LoadHook = Hook<LoadContext, Loaded>;

export interface Hooks {
	resolve?: ResolveHook | undefined;
	load?: LoadHook | undefined;
}

/** The functions a program has put in front of the loader: the newest is asked first. */
export class LoaderHooks {
	readonly #all: Hooks[] = [];

	get isEmpty(): boolean {
		return this.#all.length === 0;
	}

	/** True where a hook may give the text of a module. */
	get load(): boolean {
		return this.#all.some(({ load }) => load !== undefined);
	}

	/** @returns takes them away again */
	add(hooks: Hooks): () => void {
		this.#all.push(hooks);
		return () => {
			const at = this.#all.indexOf(hooks);
			if (at >= 0) this.#all.splice(at, 1);
		};
	}

	/**
	 * Asks the hooks, the last of which asks the loader itself.
	 * @returns the address, `file:`, `data:`, `node:` or one that only a `load` hook knows, and its format if a hook says it
	 */
	resolve(
		specifier: string,
		context: ResolveContext,
		loader: (specifier: string, context: ResolveContext) => Resolution
	): Resolution {
		return askHooks(
			this.#all.flatMap(({ resolve }) => resolve ?? []),
			specifier,
			context,
			loader
		);
	}

	/** Asks the `load` hooks, the last of which asks the loader itself. */
	loaded(url: string, context: LoadContext, loader: (url: string, context: LoadContext) => Loaded): Loaded {
		return askHooks(
			this.#all.flatMap(({ load }) => load ?? []),
			url,
			context,
			loader
		);
	}
}

/** Asks the newest of the hooks, which may ask those before it; the last of all is the loader itself. */
export function askHooks<Context extends object, Result>(
	hooks: readonly Hook<Context, Result>[],
	name: string,
	context: Context,
	loader: (name: string, context: Context) => Result
): Result {
	const ask = (index: number, asked: string, given: Context): Result => {
		const hook = hooks[index];
		if (!hook) return loader(asked, given);
		return hook(asked, given, (next, changed) => ask(index - 1, next, { ...given, ...changed }));
	};
	return ask(hooks.length - 1, name, context);
}

/** Text of what a `load` hook gave; `null` where it leaves the file's own. */
export function textOf(source: Loaded['source']): string | null {
	if (source === null || source === undefined) return null;
	return typeof source === 'string' ? source : new TextDecoder().decode(source);
}
