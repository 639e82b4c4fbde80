import type { PyodideModule } from 'pyodide/pyodide.asm.mjs';

/** `_Py_DebugOffsets` at the start of the runtime's state: words of 8 bytes, the first of which is this text. */
const COOKIE = 'xdebugpy';
const TABLE_WORDS = 60;

type Exports = Record<string, unknown> & {
	/** Suspends the running thread. Returns the address of its state. */
	captureThreadState(): number;
	restoreThreadState(thread: number): void;
};

/**
 * Hides the frames of each thread that has yielded, from leaving its stack until returning to it. Meanwhile other
 * threads use the memory of that stack, and the collector and `sys.settrace` would follow the frames of all threads
 * into it.
 */
export class SuspendedFrames {
	#module: PyodideModule | undefined;
	#offset = 0;
	readonly #frames = new Map<number, number>();

	/** Wraps the two functions with which stacks are left and returned to. */
	exportsOf(exports: WebAssembly.Exports): WebAssembly.Exports {
		const { captureThreadState, restoreThreadState } = exports as Exports;
		return {
			...exports,
			captureThreadState: exported([], [I32], () => {
				const thread = captureThreadState();
				if (thread !== 0) this.#frames.set(thread, this.#exchange(thread, 0));
				return thread;
			}),
			restoreThreadState: exported([I32], [], (thread: number) => {
				this.#exchange(thread, this.#frames.get(thread) ?? 0);
				this.#frames.delete(thread);
				restoreThreadState(thread);
			})
		};
	}

	/** @throws if the interpreter has no table of offsets at the expected address */
	start(module: PyodideModule): void {
		this.#module = module;
		this.#offset = offsetOfFrame(module);
	}

	/** Sets the address of a thread's innermost frame. Returns the previous one. */
	#exchange(thread: number, frame: number): number {
		const memory = this.#module!.HEAPU32;
		const at = (thread + this.#offset) >>> 2;
		const before = memory[at]!;
		memory[at] = frame;
		return before;
	}
}

/**
 * Offset of the innermost frame in a thread's state: it follows `prev`, `next` and `interp`, the first three fields.
 */
function offsetOfFrame({ HEAPU32, __PyRuntime: runtime }: PyodideModule): number {
	const table = HEAPU32.subarray(runtime >>> 2, (runtime >>> 2) + TABLE_WORDS * 2);
	const words = Array.from({ length: TABLE_WORDS }, (_, at) => table[at * 2]!);
	const cookie = String.fromCharCode(...new Uint8Array(table.buffer, table.byteOffset, COOKIE.length));
	const at = words.findIndex((word, place) => word === 0 && words[place + 1] === 4 && words[place + 2] === 8);
	if (cookie !== COOKIE || at < 0) throw new Error('The interpreter’s table of offsets is not where it should be.');
	return words[at + 3]!;
}

const I32 = 0x7f;

/** Wraps a JavaScript function as a WebAssembly function, using a module that imports it and exports it again. */
function exported(
	parameters: number[],
	results: number[],
	work: (given: number) => number | void
): WebAssembly.ExportValue {
	const type = [1, 0x60, parameters.length, ...parameters, results.length, ...results];
	const bytes = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, type.length, ...type, 2, 7, 1, 1, 0x65, 1, 0x66, 0, 0];
	const module = new WebAssembly.Module(Uint8Array.from([...bytes, 7, 5, 1, 1, 0x66, 0, 0]));
	return new WebAssembly.Instance(module, { e: { f: work } }).exports['f']!;
}
