import { ModuleMemory } from '#computer/wasi/memory.ts';
import { System } from '#computer/wasi/system.ts';
import { WasiExit } from '#computer/wasi/types.ts';
import { restoreRoot, ROOT } from './absolute-paths.ts';
import { CachedFiles, type CachedFilesOptions } from './cached-files.ts';
import { OutputBuffer } from './output-buffer.ts';

export interface RipgrepOptions extends Omit<CachedFilesOptions, 'output'> {
	/** Arguments, starting with the name of the program. */
	args: string[];
	env: Record<string, string>;
}

/**
 * Runs ripgrep's module: WASI's arguments, environment and clocks as for any program, its files from the cache, its
 * output in blocks.
 *
 * @returns its exit code
 */
export async function runRipgrep(module: WebAssembly.Module, options: RipgrepOptions): Promise<number> {
	const memory = new ModuleMemory();
	const isAbsolute = options.args.some((arg) => arg.includes(ROOT));
	const output = new OutputBuffer(options.calls, isAbsolute ? restoreRoot : null);
	const files = new CachedFiles(memory, { ...options, output });
	const system = new System(memory, options.args, options.env);
	const instance = await WebAssembly.instantiate(module, {
		wasi_snapshot_preview1: { ...system.imports(), ...files.imports() }
	});
	const { memory: exported, _start: start } = instance.exports;
	if (!(exported instanceof WebAssembly.Memory) || typeof start !== 'function')
		throw new Error('The module is no WASI command.');
	memory.use(exported);
	let code = 0;
	try {
		start();
	} catch (error) {
		if (!(error instanceof WasiExit)) throw error;
		code = error.code;
	}
	return output.flush() ? code : 0;
}
