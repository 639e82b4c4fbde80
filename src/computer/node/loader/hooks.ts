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

/** Context of a `load` hook besides the URL. */
export interface LoadContext {
	format: string | null | undefined;
	conditions: string[];
	importAttributes: Record<string, string>;
}

/** Module returned by a `load` hook; without a source, the loader reads the file itself. */
export interface Loaded {
	format?: string | null | undefined;
	source?: string | ArrayBuffer | ArrayBufferView | null | undefined;
	shortCircuit?: boolean;
}

/** Function that runs before the loader; `next` calls the previous one, or the loader itself. */
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

/** Hooks a program has added before the loader: the newest is called first. */
export class LoaderHooks {
	readonly #all: Hooks[] = [];

	get isEmpty(): boolean {
		return this.#all.length === 0;
	}

	/** Set if a hook may provide the text of a module. */
	get load(): boolean {
		return this.#all.some(({ load }) => load !== undefined);
	}

	/** @returns function that removes them */
	add(hooks: Hooks): () => void {
		this.#all.push(hooks);
		return () => {
			const at = this.#all.indexOf(hooks);
			if (at >= 0) this.#all.splice(at, 1);
		};
	}

	/**
	 * Calls the hooks, the last of which calls the loader itself.
	 * @returns the URL, `file:`, `data:`, `node:` or one that only a `load` hook knows, and its format if a hook
	 * specifies it
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

	/** Calls the `load` hooks, the last of which calls the loader itself. */
	loaded(url: string, context: LoadContext, loader: (url: string, context: LoadContext) => Loaded): Loaded {
		return askHooks(
			this.#all.flatMap(({ load }) => load ?? []),
			url,
			context,
			loader
		);
	}
}

/** Calls the newest hook, which may call the previous one; the last of all is the loader itself. */
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

/** Text returned by a `load` hook; `null` if the file's own is used. */
export function textOf(source: Loaded['source']): string | null {
	if (source === null || source === undefined) return null;
	return typeof source === 'string' ? source : new TextDecoder().decode(source);
}
