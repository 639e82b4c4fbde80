import start from 'virtual:jq-loader';
import { SyscallError } from '#computer/abi/client.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { connectStreams } from './streams.ts';
import { mountVolume } from './volume.ts';

/** Exit status of jq for errors while a program runs. */
const FAILED = 5;
/** jq's stack has 1 MB, and printing a value takes about 1 KB per level. */
const TOO_DEEP = 'jq: error: data is nested too deeply for this computer, whose jq has a stack of 1 MB\n';
/** Exit status after the signal for a pipe without a reader. */
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
			for (const [name, value] of Object.entries(context.env)) environment[name] = value;
		}
	});
	try {
		const status = program.callMain(context.argv.slice(1));
		finish();
		return status;
	} catch (error) {
		if (error instanceof SyscallError && error.code === 'EPIPE') return BROKEN_PIPE;
		if (!isStackOverflow(error)) throw error;
		finish();
		sync.write(2, new TextEncoder().encode(TOO_DEEP));
		return FAILED;
	}
}

/** Returns whether the stack of the module or that of the worker has overflowed. */
function isStackOverflow(error: unknown): boolean {
	return (
		error instanceof RangeError || (error instanceof WebAssembly.RuntimeError && /out of bounds/.test(error.message))
	);
}
