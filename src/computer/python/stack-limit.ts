import type { PyodideModule } from 'pyodide/pyodide.asm.mjs';

/**
 * Bytes of the stack in the interpreter's memory that a thread may use. The interpreter counts these, and would allow
 * 10 MB; the engine's stack is exhausted earlier, cannot be measured, and its overflow ends the interpreter.
 */
const STACK_BYTES = 400_000;

/** Makes the running thread end recursion in C with RecursionError before the engine's stack is exhausted. */
export function limitStack(module: PyodideModule): void {
	const lowest = module._emscripten_stack_get_base() - STACK_BYTES;
	module._PyUnstable_ThreadState_SetStackProtection(module._PyThreadState_Get(), lowest, STACK_BYTES);
}
