import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { markAbsolute } from './absolute-paths.ts';
import { recall } from './memory.ts';
import { searchesInput } from './searches-input.ts';
import { runRipgrep } from './run-ripgrep.ts';

let module: Promise<WebAssembly.Module> | null = null;

/** The program `rg`: ripgrep's WebAssembly over the volume. Exit codes are ripgrep's own. */
export async function search(context: ProcessContext): Promise<number> {
	const { sync } = context;
	context.leavesNothing?.();
	const args = context.argv.slice(1);
	module ??= context.module('rg.wasm');
	module.catch(() => (module = null));
	const ripgrep = await module;
	if (!sync.isTerminal(0) && searchesInput(args)) {
		const stdin = readAll(sync);
		// Tools start commands with empty input: then, as with a terminal, the directory is searched.
		if (stdin.length > 0) return run(context, ripgrep, [...args, '-'], stdin);
	}
	return run(context, ripgrep, args, new Uint8Array());
}

function run(context: ProcessContext, ripgrep: WebAssembly.Module, args: string[], stdin: Uint8Array): Promise<number> {
	// `-u`, `--no-ignore…`, `--hidden` and similar: then everything is walked.
	const ignores =
		context.env['RIPGREP_CONFIG_PATH'] === undefined &&
		!args.some((arg) => /^--(no-|hid|unr|ign)|^-[a-zA-Z]*[u.]/.test(arg));
	return runRipgrep(ripgrep, {
		args: ['rg', ...args.map(markAbsolute)],
		env: context.env,
		cwd: context.cwd,
		calls: context.sync,
		memory: recall(context, ignores),
		stdin: () => (stdin.length > 0 ? stdin : readAll(context.sync))
	});
}

function readAll(sync: SyncSyscalls): Uint8Array {
	const pieces: Uint8Array[] = [];
	for (;;) {
		const piece = sync.read(0, 65536);
		if (piece.length === 0) break;
		pieces.push(piece);
	}
	const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
	let at = 0;
	for (const piece of pieces) {
		whole.set(piece, at);
		at += piece.length;
	}
	return whole;
}
