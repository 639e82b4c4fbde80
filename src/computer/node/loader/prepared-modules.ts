import { textHash } from '#environment/text-hash.ts';
import { prepareEsModule, type EsModuleSource } from './transform.ts';

/** Words of the memory: number of bytes used so far, including these two words. */
const USED = 0;
const HEAD_BYTES = 8;
/** Words before each record: its size including them, whether it is complete, and the size of its key. */
const RECORD_BYTES = 12;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Prepared ES modules in memory that is shared by all programs of a session with the same rights: test runners load the
 * same modules in one thread or fork after another, and preparing them takes longer than running them.
 *
 * The memory only grows. A program that adds a record first reserves its place and marks it as complete at the end, so
 * a program that is killed meanwhile leaves a record that others ignore. Invalid records are prepared again.
 */
export class PreparedModules {
	readonly #memory: SharedArrayBuffer | null;
	/** Key → position of its text. */
	readonly #places = new Map<string, { from: number; to: number }>();
	/** End of the records read so far. */
	#seen = HEAD_BYTES;
	/** Positions of the records that were incomplete. */
	#unwritten: number[] = [];

	/** @param memory absent: nothing is shared */
	constructor(memory?: SharedArrayBuffer | null) {
		this.#memory = memory ?? null;
	}

	/** Like {@link prepareEsModule}, reusing the result of another program for the same text. */
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

	/** Finds records added meanwhile. */
	#look(memory: SharedArrayBuffer): void {
		const used = Math.min(Atomics.load(new Int32Array(memory), USED), memory.byteLength);
		if (used <= this.#seen) return;
		const words = new Int32Array(memory);
		while (this.#seen + RECORD_BYTES <= used) {
			const size = Atomics.load(words, this.#seen / 4);
			// Reserved just now, not written yet.
			if (size < RECORD_BYTES || this.#seen + size > used) return;
			this.#unwritten.push(this.#seen);
			this.#seen += roundUp(size);
		}
	}

	/** Indexes a record. @returns false while its program is still writing it */
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

/** Parses the module of a record; `null` if it is invalid. */
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

/** Grows the memory to at least this size; another program may do the same concurrently. */
function hasRoom(memory: SharedArrayBuffer, bytes: number): boolean {
	while (memory.byteLength < bytes) {
		const wanted = Math.min(memory.maxByteLength, Math.max(bytes, memory.byteLength * 2));
		if (wanted < bytes) return false;
		try {
			memory.grow(wanted);
		} catch (error) {
			// The other program was faster and has grown it.
			if (memory.byteLength < bytes) throw error;
		}
	}
	return true;
}
