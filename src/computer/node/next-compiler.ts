import path from 'path';
import type { ProcessContext } from '#computer/process/program.ts';

const ENTRY = /\/node_modules\/next\/dist\/bin\/next$/;
/** Package of Next.js with its compiler in WebAssembly, which `npm install` adds here. */
const RELEASE = '@next/swc-wasm-nodejs';
/** Directory from which Next.js loads the release. Its own search fails: it uses the package's name as a file name. */
const DIRECTORY = 'NEXT_TEST_WASM_DIR';
/**
 * Set by `next --experimental-next-config-strip-types`: Node itself loads `next.config.ts`. Since 16.3 the release no
 * longer turns modules into CommonJS, as which Next.js would run the compiled file.
 */
const LOADED_BY_NODE = '__NEXT_NODE_NATIVE_TS_LOADER_ENABLED';

const NOT_INSTALLED = `next cannot start: it compiles with SWC, whose native code cannot run in a browser tab, and ${RELEASE}, the same in WebAssembly, is not installed. Run \`npm install\` again, which adds it.`;
const TURBOPACK =
	'next: Turbopack exists as native code only, which cannot run in a browser tab: webpack compiles instead.\n';
/** First version that compiles with Turbopack unless `--webpack` is given. */
const FIRST_WITH_TURBOPACK = 16;

/** Native releases of the compiler: Next.js would try in vain to download a missing one. */
export const isNativeCompiler = (specifier: string): boolean => /^@next\/swc-linux-/.test(specifier);

/** Start of a program: its arguments, or why it is refused. */
type Start = { args: string[] } | { refusal: string };

/**
 * Prepares Next.js if `file` is its entry: its environment, including that of its child processes, and its arguments.
 * All other programs start unchanged.
 */
export function prepareNext(context: ProcessContext, file: string, args: string[]): Start {
	if (!ENTRY.test(file)) return { args };
	const { sync, env } = context;
	const compiler = env[DIRECTORY] ?? findRelease(sync, file);
	if (compiler === undefined) return { refusal: NOT_INSTALLED };
	env[DIRECTORY] = compiler;
	env[LOADED_BY_NODE] ??= 'true';
	const compiled = withWebpack(args, versionOf(sync, file));
	if (compiled !== args) sync.write(2, new TextEncoder().encode(TURBOPACK));
	return { args: compiled };
}

type Files = ProcessContext['sync'];

function findRelease(sync: Files, file: string): string | undefined {
	let directory = path.dirname(file);
	while (directory !== '/') {
		const candidate = path.join(directory, 'node_modules', RELEASE);
		if (sync.statOrNull(`${candidate}/wasm.js`) !== null) return candidate;
		directory = path.dirname(directory);
	}
	return undefined;
}

/** Major version of Next.js; 0 if its package does not contain one. */
function versionOf(sync: Files, file: string): number {
	const name = file.replace(/dist\/bin\/next$/, 'package.json');
	if (sync.statOrNull(name)?.kind !== 'file') return 0;
	const [, major = '0'] = /"version"\s*:\s*"(\d+)\./.exec(new TextDecoder().decode(sync.readFile(name))) ?? [];
	return Number(major);
}

/** Returns arguments for compiling with webpack; the same array if that is the case anyway. */
function withWebpack(args: string[], version: number): string[] {
	const isTurbopack = (word: string) => word === '--turbo' || word === '--turbopack';
	const [command = 'dev'] = args.filter((word) => !word.startsWith('-'));
	const needsFlag = version >= FIRST_WITH_TURBOPACK && /^(dev|build)$/.test(command) && !args.includes('--webpack');
	if (!needsFlag && !args.some(isTurbopack)) return args;
	return [...args.filter((word) => !isTurbopack(word)), ...(needsFlag ? ['--webpack'] : [])];
}
