import start from 'virtual:jq-loader';
import { SyscallError } from '#computer/abi/client.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { connectStreams } from './streams.ts';
import { mountVolume } from './volume.ts';

/** Exit status after the signal for a pipe without reader. */
const BROKEN_PIPE = 141;

let module: Promise<WebAssembly.Module> | null = null;

/** The program `jq`: jq's WebAssembly over the volume. Exit codes are jq's own. */
export async function jq(context: ProcessContext): Promise<number> {
	const { sync } = context;
	context.leavesNothing?.();
	module ??= context.module('jq.wasm');
	module.catch(() => (module = null));
	const compiled = await module;
	let finish = () => {};
	const program = await start({
		thisProgram: 'jq',
		instantiateWasm(imports, receive) {
			const instance = new WebAssembly.Instance(compiled, imports);
			receive(instance);
			return instance.exports;
		},
		prepare(fs, environment) {
			fs.init();
			finish = connectStreams(fs, sync);
			mountVolume(fs, sync);
			fs.chdir(context.cwd);
			for (const [name, value] of Object.entries(context.env)) environment[inBytes(name)] = inBytes(value);
		}
	});
	try {
		const status = program.callMain(context.argv.slice(1));
		finish();
		return status;
	} catch (error) {
		if (error instanceof SyscallError && error.code === 'EPIPE') return BROKEN_PIPE;
		throw error;
	}
}

/** One character for each byte in UTF-8, as Emscripten copies the environment. */
function inBytes(text: string): string {
	return String.fromCharCode(...new TextEncoder().encode(text));
}
