import { dirname, join } from '#computer/abi/paths.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { evaluateCompiler, type Compiler } from './compiler.ts';
import { LIBRARY_DIRECTORY } from './system.ts';

export interface FoundCompiler {
	compiler: Compiler;
	libraryDirectory: string;
	/** The shipped libraries, file name → text; empty if the project's own are on disk. */
	libraries: Record<string, string>;
	/** Set if the project has its own compiler, which cannot run here. */
	isReplaced: boolean;
}

/** Finds the project's own compiler if that is JavaScript, otherwise the shipped TypeScript. */
export function findCompiler(context: ProcessContext): FoundCompiler {
	const { sync } = context;
	const own = installed(context);
	if (own && sync.statOrNull(join(own, 'lib/typescript.js'))) {
		const compiler = evaluateCompiler(text(sync.readFile(join(own, 'lib/typescript.js'))));
		return { compiler, libraryDirectory: join(own, 'lib'), libraries: {}, isReplaced: false };
	}
	return { ...shippedCompiler(context), isReplaced: own !== null };
}

/** Returns the TypeScript of this build of the sandbox. */
export function shippedCompiler({ sync }: ProcessContext): FoundCompiler {
	const compiler = evaluateCompiler(text(sync.asset('typescript.js')));
	const libraries = asTexts(JSON.parse(text(sync.asset('typescript-libraries.json'))));
	return { compiler, libraryDirectory: LIBRARY_DIRECTORY, libraries, isReplaced: false };
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
