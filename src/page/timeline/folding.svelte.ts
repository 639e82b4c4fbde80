import { getContext, setContext } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';

/** Steps whose details are open. It outlives their rows: a long list removes rows far from the window. */
export class Folding {
	/** Default for steps without a choice by the user. */
	all = $state(false);
	#choices = new SvelteMap<string, boolean>();

	/** @param byDefault without a choice by the user; absent: as {@link all} */
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
