import type { ProcessContext } from '#computer/process/program.ts';
import { findCompiler } from './own-compiler.ts';
import { createSystem, Exit } from './system.ts';

/**
 * The program `tsc`: the project's own compiler if that is JavaScript, otherwise the shipped TypeScript. Exit codes are
 * tsc's.
 */
export async function tsc(context: ProcessContext): Promise<number> {
	const { compiler, libraryDirectory, libraries, isReplaced } = findCompiler(context);
	if (isReplaced) {
		const words = `tsc: the project's own TypeScript is native code, which cannot run here: TypeScript ${compiler.version} runs in its place.\n`;
		context.sync.write(2, new TextEncoder().encode(words));
	}
	const system = createSystem(context, compiler, libraryDirectory, libraries);
	compiler.setSys(system);
	try {
		compiler.executeCommandLine(system, () => undefined, system.args);
		return 0;
	} catch (error) {
		if (error instanceof Exit) return error.code;
		throw error;
	} finally {
		system.flush();
	}
}
