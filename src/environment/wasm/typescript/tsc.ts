import { dirname, join } from '../paths.ts';
import type { ProcessContext } from '../process/program.ts';
import { evaluateCompiler, type Compiler } from './compiler.ts';
import { createSystem, Exit, LIBRARY_DIRECTORY } from './system.ts';

/** The program `tsc`: the project's own compiler where that is JavaScript, else TypeScript as it is shipped. Exit codes are tsc's. */
export async function tsc(context: ProcessContext): Promise<number> {
	const { sync } = context;
	const own = installed(context);
	let compiler: Compiler;
	let libraries: Record<string, string> | null = null;
	if (own && sync.statOrNull(join(own, 'lib/typescript.js'))) {
		compiler = evaluateCompiler(text(sync.readFile(join(own, 'lib/typescript.js'))));
	} else {
		compiler = evaluateCompiler(text(sync.asset('typescript.js')));
		libraries = asTexts(JSON.parse(text(sync.asset('typescript-libraries.json'))));
		if (own) {
			const words = `tsc: the project's own TypeScript is native code, which cannot run here: TypeScript ${compiler.version} runs in its place.\n`;
			sync.write(2, new TextEncoder().encode(words));
		}
	}
	const libraryDirectory = libraries ? LIBRARY_DIRECTORY : join(own ?? '', 'lib');
	const system = createSystem(context, compiler, libraryDirectory, libraries ?? {});
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

/** The nearest `node_modules/typescript` at or above the working directory. */
function installed({ sync, cwd }: ProcessContext): string | null {
	for (let at = cwd; ; at = dirname(at)) {
		const directory = join(at, 'node_modules/typescript');
		if (sync.statOrNull(join(directory, 'package.json'))) return directory;
		if (at === '/') return null;
	}
}

function text(bytes: Uint8Array): string {
	return new TextDecoder().decode(bytes);
}

function asTexts(value: unknown): Record<string, string> {
	return Object.fromEntries(Object.entries(Object(value)).map(([name, content]) => [name, String(content)]));
}
