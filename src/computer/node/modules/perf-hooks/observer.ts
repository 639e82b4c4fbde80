import { invalidArgument, nodeError } from '../../runtime/errors.ts';
import { functionValue } from '../../runtime/validate.ts';
import type { EventLoop } from '../../runtime/event-loop.ts';
import { OWN_TYPES, type OwnEntries } from './entries.ts';

interface Entry {
	readonly name: string;
	readonly entryType: string;
	readonly startTime: number;
}

interface ObserveOptions {
	entryTypes?: unknown;
	type?: unknown;
	buffered?: boolean;
}

/** Entries that an observer is called with. */
export class PerformanceObserverEntryList {
	readonly #entries: readonly Entry[];

	constructor(entries: readonly Entry[]) {
		this.#entries = [...entries].sort((a, b) => a.startTime - b.startTime);
	}

	getEntries(): Entry[] {
		return [...this.#entries];
	}

	getEntriesByType(type: string): Entry[] {
		return this.#entries.filter(({ entryType }) => entryType === type);
	}

	getEntriesByName(name: string, type?: string): Entry[] {
		return this.#entries.filter((entry) => entry.name === name && (type === undefined || entry.entryType === type));
	}
}

type Callback = (list: PerformanceObserverEntryList, observer: unknown) => void;

/** `PerformanceObserver`: the browser's for its own kinds of entries, ours for the others. */
export function createObserverClass(own: OwnEntries, loop: EventLoop) {
	const Native = globalThis.PerformanceObserver;
	return class PerformanceObserver {
		static get supportedEntryTypes(): readonly string[] {
			return Object.freeze([...OWN_TYPES, 'mark', 'measure'].sort());
		}

		readonly #callback: Callback;
		readonly #native = new Native((list) => this.#take(list.getEntries()));
		#types = new Set<string>();
		#waiting: Entry[] = [];
		#stop: (() => void) | null = null;

		constructor(callback: Callback) {
			functionValue(callback, 'callback');
			this.#callback = callback;
		}

		/** @throws ERR_MISSING_ARGS, ERR_INVALID_ARG_TYPE */
		observe(options: ObserveOptions = {}): void {
			const types = typesOf(options);
			if (options.type === undefined) this.#types.clear();
			for (const type of types) this.#types.add(type);
			const native = types.filter((type) => Native.supportedEntryTypes.includes(type) && !OWN_TYPES.includes(type));
			if (options.type === undefined && native.length > 0) this.#native.observe({ entryTypes: native });
			for (const type of options.type === undefined ? [] : native)
				this.#native.observe({ type, buffered: options.buffered ?? false });
			if (options.buffered && types.includes('resource')) this.#take(own.resources);
			this.#stop ??= own.listen((entry) => this.#take([entry]));
		}

		disconnect(): void {
			this.#native.disconnect();
			this.#stop?.();
			this.#stop = null;
			this.#waiting = [];
			this.#types.clear();
		}

		takeRecords(): Entry[] {
			return this.#waiting.splice(0);
		}

		#take(entries: readonly Entry[]): void {
			const isFirst = this.#waiting.length === 0;
			this.#waiting.push(...entries.filter(({ entryType }) => this.#types.has(entryType)));
			if (isFirst && this.#waiting.length > 0) loop.post(() => loop.enter(() => this.#call()));
		}

		#call(): void {
			const entries = this.takeRecords();
			if (entries.length > 0) Reflect.apply(this.#callback, this, [new PerformanceObserverEntryList(entries), this]);
		}
	};
}

function typesOf({ entryTypes, type }: ObserveOptions): string[] {
	if (entryTypes === undefined && type === undefined) {
		const words = 'The "options.entryTypes" and "options.type" arguments must be specified';
		throw nodeError(TypeError, 'ERR_MISSING_ARGS', words);
	}
	if (entryTypes === undefined) return [String(type)];
	if (!Array.isArray(entryTypes)) {
		throw invalidArgument('options.entryTypes', 'string[]', entryTypes);
	}
	return entryTypes.map(String);
}
