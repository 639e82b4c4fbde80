import type { ProcessContext } from '#computer/process/program.ts';

/** Installed tool that is about to be started. */
interface Installed {
	/** Returns whether a file, relative to the tool's own, exists. */
	isThere(relative: string): boolean;
	/** Node's own flags, including those of `NODE_OPTIONS`. */
	flags: string[];
}

/** Returns the command line that replaces an installed tool with its arguments; empty if the tool itself can run. */
type Replacement = (args: string[], tool: Installed) => string[];

/**
 * Options of `ts-node` and `tsx` about compiling, which they do not do here; those in the second group take a value.
 */
const COMPILING =
	/^(-T|--transpile-only|--transpileOnly|--esm|--files|--pretty|--swc|--no-cache|--type-check|--respawn|--clear|--cls|--quiet)$/;
const COMPILING_WITH =
	/^(-P|--project|-O|--compilerOptions|-C|--compiler|-I|--ignore|--tsconfig|--ignore-watch|--exclude|--include)$/;

/** Runs TypeScript with Node itself. */
const asNode =
	(watches: boolean): Replacement =>
	(given) => {
		const args = [...given];
		const flags: string[] = watches ? ['--watch'] : [];
		let tsconfig = '';
		if (args[0] === 'watch') {
			args.shift();
			flags.push('--watch');
		}
		for (let word = args[0]; word?.startsWith('-') && word !== '--'; word = args[0]) {
			args.shift();
			const [name = '', inline] = word.split('=');
			if (COMPILING_WITH.test(name)) {
				const value = inline ?? args.shift() ?? '';
				if (/^(-P|--project|--tsconfig)$/.test(name)) tsconfig = value;
			} else if (!COMPILING.test(word)) flags.push(word);
		}
		flags.unshift(`--sandglass-tsconfig=${tsconfig}`);
		const isText = flags.some((flag) => /^(-e|-p|-pe|--eval|--print)$/.test(flag));
		return ['node', ...(isText ? ['--input-type=commonjs-typescript'] : []), ...flags, ...args];
	};

/** Directories above the tool's own package in which npm and pnpm install its dependencies. */
const PACKAGES_BESIDE = ['../..', '../../../../node_modules'];

/**
 * Runs jest itself, unless its processes cannot wait for each other, its tests have to be modules of `vm`, or its
 * resolver (from version 30 on) has no WebAssembly release here.
 */
const asJest: Replacement = (args, { isThere, flags }) => {
	if (typeof SharedArrayBuffer === 'undefined') return ['jest', ...args];
	const lacksResolver = PACKAGES_BESIDE.some(
		(packages) =>
			isThere(`${packages}/unrs-resolver/package.json`) &&
			!isThere(`${packages}/@unrs/resolver-binding-wasm32-wasi/package.json`)
	);
	return lacksResolver || flags.includes('--experimental-vm-modules') ? ['jest', ...args] : [];
};

/** Runs vitest itself, unless its processes cannot wait for each other. */
const asVitest: Replacement = (args) => (typeof SharedArrayBuffer === 'undefined' ? ['vitest', ...args] : []);

const isService = (args: string[]): boolean => args.some((word) => word.startsWith('--service='));

/** Entry files of tools that are native or need a real machine → the sandbox's own command. */
const REPLACED: [RegExp, Replacement][] = [
	[/\/node_modules\/vitest\/vitest\.mjs$/, asVitest],
	[/\/node_modules\/(jest|jest-cli)\/bin\/jest\.js$/, asJest],
	// It would start a browser; the tab's own is used instead.
	[/\/node_modules\/(@playwright\/test|playwright|playwright-core)\/cli\.js$/, (args) => ['playwright', ...args]],
	// Its library communicates with a program of exactly its own version, and another version builds other output.
	[
		/\/node_modules\/esbuild\/bin\/esbuild$/,
		(args, { isThere }) => (isService(args) || isThere('../esbuild.wasm') ? [] : ['esbuild', ...args])
	],
	// From version 7 on it is a native program.
	[
		/\/node_modules\/typescript\/(bin\/tsc|lib\/tsc\.js)$/,
		(args, { isThere }) => (isThere('../lib/getExePath.js') ? ['tsc', ...args] : [])
	],
	[/\/node_modules\/tsx\/dist\/cli\.mjs$/, asNode(false)],
	[/\/node_modules\/ts-node\/dist\/bin[\w-]*\.js$/, asNode(false)],
	[/\/node_modules\/(ts-node-dev|tsnd)\/lib\/bin\.js$/, asNode(true)]
];

/** Packages that add TypeScript support to Node, which is built in here: nothing to preload. */
export const isTypeScriptLoader = (specifier: string): boolean =>
	/^(tsx|ts-node|tsconfig-paths|esbuild-register|@swc-node\/register|@esbuild-kit\/\w+)(\/[\w/-]+)?$/.test(specifier);

/**
 * Returns the command line that runs instead of an installed tool's `file` with these arguments, if the sandbox has
 * one.
 * @param execArgv Node's own flags from the command line
 */
export function replacedTool(
	{ sync, env }: ProcessContext,
	file: string,
	args: string[],
	execArgv: string[]
): string[] | null {
	const [, replacement] = REPLACED.find(([entry]) => entry.test(file)) ?? [];
	const isThere = (relative: string) => sync.statOrNull(`${file.slice(0, file.lastIndexOf('/'))}/${relative}`) !== null;
	const flags = [...execArgv, ...(env['NODE_OPTIONS'] ?? '').split(/\s+/)];
	const [command = '', ...rest] = replacement?.(args, { isThere, flags }) ?? [];
	return sync.programs().includes(command) ? [`/usr/bin/${command}`, ...rest] : null;
}

/** Runs it with the same streams and environment. @returns its exit code */
export async function runReplacement({ sync, async, cwd, env }: ProcessContext, argv: string[]): Promise<number> {
	return (await async.waitPid(sync.spawn({ argv, cwd, env }))).code;
}
