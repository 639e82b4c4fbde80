/** Context of a `resolve` hook besides the specifier. */
export interface ResolveContext {
	parentURL: string | undefined;
	conditions: string[];
	importAttributes: Record<string, string>;
}

export interface Resolution {
	url: string;
	format?: string | null;
	shortCircuit?: boolean;
}

type Next = (specifier: string, context?: Partial<ResolveContext>) => Resolution;
export type ResolveHook = (specifier: string, context: ResolveContext, next: Next) => Resolution;

/** The functions a program has put in front of the loader with `module.registerHooks()`: the newest is asked first. */
export class LoaderHooks {
	readonly #resolve: ResolveHook[] = [];

	get isEmpty(): boolean {
		return this.#resolve.length === 0;
	}

	/** @returns takes it away again */
	add(hook: ResolveHook): () => void {
		this.#resolve.push(hook);
		return () => {
			const at = this.#resolve.indexOf(hook);
			if (at >= 0) this.#resolve.splice(at, 1);
		};
	}

	/**
	 * Asks the hooks, the last of which asks the loader itself.
	 * @returns a `file:`, `data:` or `node:` address
	 */
	resolve(
		specifier: string,
		context: ResolveContext,
		loader: (specifier: string, context: ResolveContext) => Resolution
	): string {
		const hooks = [...this.#resolve];
		const ask = (index: number, name: string, given: ResolveContext): Resolution => {
			const hook = hooks[index];
			if (!hook) return loader(name, given);
			return hook(name, given, (next, changed) => ask(index - 1, next, { ...given, ...changed }));
		};
		return ask(hooks.length - 1, specifier, context).url;
	}
}
