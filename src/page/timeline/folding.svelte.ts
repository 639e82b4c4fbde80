import { getContext, setContext } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';

/** Which steps show their details. It outlives their rows: a long list takes away what is far from the window. */
export class Folding {
	/** Whether steps that nobody touched are open. */
	all = $state(false);
	#choices = new SvelteMap<string, boolean>();

	/** @param byDefault when nobody chose; absent: as {@link all} */
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
