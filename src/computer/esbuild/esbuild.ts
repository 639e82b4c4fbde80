import 'esbuild-wasm/wasm_exec.js';
import { absolute } from '#computer/abi/paths.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { goFiles } from './go-files.ts';

/** Go's start code has 12 KB for arguments and environment together, and esbuild reads few variables. */
const PASSED_ON = /^(NODE_PATH|NO_COLOR|FORCE_COLOR|TERM|HOME|PWD|ESBUILD_.*)$/;
const NEVER_ENDING = ['--watch', '--serve', '--servedir'];

/** The program `esbuild`: its own WebAssembly build over the volume. Exit codes are esbuild's own. */
export async function esbuild(context: ProcessContext): Promise<number> {
	const args = context.argv.slice(1);
	const endless = args.find((arg) => NEVER_ENDING.includes(arg.split('=')[0] ?? ''));
	if (endless !== undefined) {
		const words = `✘ [ERROR] ${endless} is not available in the browser. Run the same command without it: the preview builds again when files change.\n`;
		context.sync.write(2, new TextEncoder().encode(words));
		return 1;
	}
	const module = await context.module('esbuild.wasm');
	Object.assign(globalThis, {
		fs: goFiles(context),
		path: { resolve: (...parts: string[]) => parts.reduce((at, part) => absolute(part, at), context.cwd) },
		process: { cwd: () => context.cwd, pid: context.pid, ppid: 1, umask: () => 0o22, getuid: () => 1000 }
	});
	const go = new Go();
	go.argv = ['esbuild', ...args];
	go.env = Object.fromEntries(Object.entries(context.env).filter(([name]) => PASSED_ON.test(name)));
	let exitCode = 1;
	go.exit = (code) => void (exitCode = code);
	await go.run(await WebAssembly.instantiate(module, go.importObject));
	return exitCode;
}
