import type { ProcessContext } from '#computer/process/program.ts';
import { ModuleMemory } from './memory.ts';
import { DescriptorTable, standardStreams } from './descriptors.ts';
import { preview1 } from './preview1.ts';
import { Errno, WasiExit } from './types.ts';

const encoder = new TextEncoder();

/**
 * Runs a WebAssembly file as a command: `wasi-run file.wasm args…`, or `./file.wasm args…`. WASI preview 1, over the
 * kernel's synchronous calls. Returns its exit code; 126 if it is not a command, 134 if it traps.
 */
export async function runCommand(context: ProcessContext): Promise<number> {
	const { sync, cwd, env, argv } = context;
	const [file, ...rest] = argv.slice(1);
	const complain = (text: string) => sync.write(2, encoder.encode(`${file ?? 'wasi-run'}: ${text}\n`));
	if (file === undefined) {
		complain('usage: wasi-run FILE.wasm [ARGUMENT]…');
		return 2;
	}
	const path = file.startsWith('/') ? file : `${cwd}/${file}`;
	let module: WebAssembly.Module;
	try {
		module = await WebAssembly.compile(sync.readFile(path).slice());
	} catch (error) {
		complain(`cannot execute: ${error instanceof Error ? error.message : String(error)}`);
		return 126;
	}
	const memory = new ModuleMemory();
	const descriptors = new DescriptorTable(standardStreams(sync), { '.': cwd, '/': '/' });
	const known = preview1(memory, descriptors, sync, [file, ...rest], env);
	const wanted = WebAssembly.Module.imports(module);
	const foreign = wanted.find((entry) => entry.module !== 'wasi_snapshot_preview1' && entry.module !== 'wasi_unstable');
	if (foreign) {
		complain(`cannot execute: it wants ${foreign.module}.${foreign.name}, and only WASI preview 1 is here`);
		return 126;
	}
	// Functions that a program imports but may never call (sockets, polling) only fail when called.
	for (const { name, kind } of wanted) if (kind === 'function') known[name] ??= () => Errno.notSupported;
	const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: known, wasi_unstable: known });
	const { memory: exported, _start: start } = instance.exports;
	if (!(exported instanceof WebAssembly.Memory) || typeof start !== 'function') {
		complain('cannot execute: it is a library and no command (it exports no _start and memory)');
		return 126;
	}
	memory.use(exported);
	try {
		start();
		return 0;
	} catch (error) {
		if (error instanceof WasiExit) return error.code;
		if (!(error instanceof WebAssembly.RuntimeError) && !(error instanceof RangeError)) throw error;
		complain(error.message);
		return 134;
	}
}
