import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';

/** What the kernel asks the page for. Shared by a machine and its overlays. */
export interface Outside {
	/** One HTTP request, through the page's egress ledger. */
	fetch(request: WireRequest): Promise<WireResponse>;
	/** A shipped file, fetched on first use and kept. ENOENT when there is none of that name. */
	asset(name: string): Promise<Uint8Array>;
	/** The same as a module, compiled once. */
	module(name: string): Promise<WebAssembly.Module>;
}

/** Keeps what was asked for. A failure is not kept: the next call asks again. */
export function once<Value>(load: (name: string) => Promise<Value>): (name: string) => Promise<Value> {
	const known = new Map<string, Promise<Value>>();
	return (name) => {
		const found = known.get(name);
		if (found) return found;
		const value = load(name);
		known.set(name, value);
		value.catch(() => known.delete(name));
		return value;
	};
}
