import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';

/** Requests of the kernel to the page, shared by a computer and its overlays. */
export interface Outside {
	/** Sends one HTTP request through the page's egress ledger. */
	fetch(request: WireRequest): Promise<WireResponse>;
	/** Returns a shipped file, fetched on first use and cached. ENOENT if there is none with that name. */
	asset(name: string): Promise<Uint8Array>;
	/** Sends one request to the preview and returns its answer, both as JSON. */
	preview(request: string): Promise<string>;
	/** Returns a shipped file as a module, compiled once. */
	module(name: string): Promise<WebAssembly.Module>;
}

/** Caches results by name. Failures are not cached: the next call retries. */
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
