import path from 'path';
import type { ProcessContext } from '#computer/process/program.ts';

const ENTRY = /\/node_modules\/next\/dist\/bin\/next$/;
/** Package of Next.js with its compiler in WebAssembly, which `npm install` adds here. */
const RELEASE = '@next/swc-wasm-nodejs';
/** Directory that Next.js loads the release from. Its own search fails: it reads the package's name as a file's. */
const DIRECTORY = 'NEXT_TEST_WASM_DIR';

const NOT_INSTALLED = `next cannot start: it compiles with SWC, whose native code cannot run in a browser tab, and ${RELEASE}, the same in WebAssembly, is not installed. Run \`npm install\` again, which adds it.`;
const TURBOPACK =
	'next: Turbopack exists as native code only, which cannot run in a browser tab. Leave out --turbo and --turbopack: Next.js then builds with webpack.';

/** Native releases of the compiler: a missing one would be downloaded by Next.js, in vain. */
export const isNativeCompiler = (specifier: string): boolean => /^@next\/swc-linux-/.test(specifier);

/**
 * Prepares the environment for Next.js, and for the processes it starts, if `file` is its entry.
 *
 * @returns why it cannot start; `null` if it can, and for all other programs
 */
export function prepareNext({ sync, env }: ProcessContext, file: string, args: string[]): string | null {
	if (!ENTRY.test(file)) return null;
	if (args.some((word) => word === '--turbo' || word === '--turbopack')) return TURBOPACK;
	if (env[DIRECTORY] !== undefined) return null;
	let directory = path.dirname(file);
	while (directory !== '/') {
		const candidate = path.join(directory, 'node_modules', RELEASE);
		if (sync.statOrNull(`${candidate}/wasm.js`) !== null) {
			env[DIRECTORY] = candidate;
			return null;
		}
		directory = path.dirname(directory);
	}
	return NOT_INSTALLED;
}
