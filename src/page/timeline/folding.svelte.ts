import { getContext, setContext } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';

/** Steps whose details are open. Outlives their rows: a long list removes rows outside the window. */
export class Folding {
	/** Default for steps that the user has not toggled. */
	all = $state(false);
	#choices = new SvelteMap<string, boolean>();

	/** @param byDefault value if the user has not toggled the step; default: {@link all} */
	isOpen(key: string, byDefault = this.all): boolean {
		return this.#choices.get(key) ?? byDefault;
	}

	set(key: string, open: boolean): void {
		this.#choices.set(key, open);
	}

	setAll(open: boolean): void {
		this.#choices.clear();
		this.all = open;
	}
}

const KEY = Symbol('folding');

export function provideFolding(): Folding {
	return setContext(KEY, new Folding());
}

export function folding(): Folding {
	return getContext<Folding>(KEY);
}
