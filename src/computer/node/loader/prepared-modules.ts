import { textHash } from '#environment/text-hash.ts';
import { prepareEsModule, type EsModuleSource } from './transform.ts';

/** Words of the memory: bytes used so far, these two included. */
const USED = 0;
const HEAD_BYTES = 8;
/** Words before each record: its bytes with them, whether it is complete, and the bytes of its key. */
const RECORD_BYTES = 12;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * ES modules as the loader runs them, in memory that all programs of a session with the same rights share: test runners
 * load the same modules in one thread or fork after another, and preparing them takes longer than running them.
 *
 * The memory only grows. A program that adds a record reserves its place first and marks it as complete at the end, so
 * that one that is killed meanwhile leaves a record that no other reads. What is no module there is prepared again.
 */
export class PreparedModules {
	readonly #memory: SharedArrayBuffer | null;
	/** Key → place of its text. */
	readonly #places = new Map<string, { from: number; to: number }>();
	/** Records before this position have been seen. */
	#seen = HEAD_BYTES;
	/** Positions of those records that were not complete. */
	#unwritten: number[] = [];

	/** @param memory absent: nothing is shared */
	constructor(memory?: SharedArrayBuffer | null) {
		this.#memory = memory ?? null;
	}

	/** As {@link prepareEsModule}, or what another program has made of the same text. */
	prepare(code: string, file: string): EsModuleSource {
		if (!this.#memory) return prepareEsModule(code, file);
		const key = `${file}\n${code.length} ${textHash(code)}`;
		const text = this.#find(this.#memory, key);
		const known = text === null ? null : sourceIn(text);
		if (known) return { ...known, original: code };
		const source = prepareEsModule(code, file);
		this.#add(this.#memory, encoder.encode(key), encoder.encode(JSON.stringify({ ...source, original: '' })));
		return source;
	}

	#find(memory: SharedArrayBuffer, key: string): string | null {
		this.#look(memory);
		this.#unwritten = this.#unwritten.filter((start) => !this.#note(memory, start));
		const place = this.#places.get(key);
		return place ? decoder.decode(new Uint8Array(memory).slice(place.from, place.to)) : null;
	}

	/** Finds the records that have been added. */
	#look(memory: SharedArrayBuffer): void {
		const used = Math.min(Atomics.load(new Int32Array(memory), USED), memory.byteLength);
		if (used <= this.#seen) return;
		const words = new Int32Array(memory);
		while (this.#seen + RECORD_BYTES <= used) {
			const size = Atomics.load(words, this.#seen / 4);
			// Reserved only a moment ago.
			if (size < RECORD_BYTES || this.#seen + size > used) return;
			this.#unwritten.push(this.#seen);
			this.#seen += roundUp(size);
		}
	}

	/** Takes note of a record. @returns false while its program is still writing it */
	#note(memory: SharedArrayBuffer, start: number): boolean {
		const [size = 0, , keyBytes = 0] = new Int32Array(memory, start, RECORD_BYTES / 4);
		if (Atomics.load(new Int32Array(memory), start / 4 + 1) === 0) return false;
		const from = start + RECORD_BYTES;
		const middle = from + keyBytes;
		const key = decoder.decode(new Uint8Array(memory).slice(from, middle));
		this.#places.set(key, { from: middle, to: start + size });
		return true;
	}

	#add(memory: SharedArrayBuffer, key: Uint8Array, text: Uint8Array): void {
		const size = RECORD_BYTES + key.length + text.length;
		if (Math.max(Atomics.load(new Int32Array(memory), USED), HEAD_BYTES) + roundUp(size) > memory.maxByteLength) return;
		Atomics.compareExchange(new Int32Array(memory), USED, 0, HEAD_BYTES);
		const start = Atomics.add(new Int32Array(memory), USED, roundUp(size));
		if (!hasRoom(memory, start + roundUp(size))) return;
		const words = new Int32Array(memory);
		Atomics.store(words, start / 4, size);
		words[start / 4 + 2] = key.length;
		const bytes = new Uint8Array(memory);
		bytes.set(key, start + RECORD_BYTES);
		bytes.set(text, start + RECORD_BYTES + key.length);
		Atomics.store(words, start / 4 + 1, 1);
	}
}

/** The module of a record; `null` where a program has written something else. */
function sourceIn(text: string): EsModuleSource | null {
	try {
		const value: unknown = JSON.parse(text);
		return isSource(value) ? value : null;
	} catch {
		return null;
	}
}

function isSource(value: unknown): value is EsModuleSource {
	if (typeof value !== 'object' || value === null) return false;
	const { code, firstLineLength, imports, exports, passed, stars, early, typescript } =
		value as Partial<EsModuleSource>;
	return (
		typeof code === 'string' &&
		typeof firstLineLength === 'number' &&
		typeof early === 'boolean' &&
		typeof typescript === 'boolean' &&
		areTexts(exports) &&
		areTexts(stars) &&
		areAll(imports, ({ specifier, names, type }) => areTexts([specifier, type ?? '']) && areTexts(names)) &&
		areAll(passed, ({ name, from, importName }) => areTexts([name, from, importName ?? '']))
	);
}

const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');
const areAll = <Item>(value: readonly Item[] | undefined, isRight: (item: Item) => boolean): boolean =>
	Array.isArray(value) &&
	value.every((item: Item | null) => typeof item === 'object' && item !== null && isRight(item));

const roundUp = (bytes: number): number => Math.ceil(bytes / 4) * 4;

/** Lets the memory grow to so many bytes, which another program may do at the same time. */
function hasRoom(memory: SharedArrayBuffer, bytes: number): boolean {
	while (memory.byteLength < bytes) {
		const wanted = Math.min(memory.maxByteLength, Math.max(bytes, memory.byteLength * 2));
		if (wanted < bytes) return false;
		try {
			memory.grow(wanted);
		} catch (error) {
			// The other one was faster and has made it larger.
			if (memory.byteLength < bytes) throw error;
		}
	}
	return true;
}
