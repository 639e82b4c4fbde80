import type { PyodideModule } from 'pyodide/pyodide.asm.mjs';

/**
 * Bytes of the stack in the interpreter's memory that a thread may use. The interpreter counts these, and would go on
 * to 10 MB; what ends first is the engine's stack, which none can count and whose end ends the interpreter.
 */
const STACK_BYTES = 400_000;

/** Lets the running thread end recursion in C by RecursionError before the engine's stack is used up. */
export function limitStack(module: PyodideModule): void {
	const lowest = module._emscripten_stack_get_base() - STACK_BYTES;
	module._PyUnstable_ThreadState_SetStackProtection(module._PyThreadState_Get(), lowest, STACK_BYTES);
}
