import type { ProcessContext } from '#computer/process/program.ts';

/** An installed tool that is about to be started. */
interface Installed {
	/** Returns true if a file, relative to the tool's own, exists. */
	isThere(relative: string): boolean;
	/** Node's own flags, those of `NODE_OPTIONS` included. */
	flags: string[];
}

/** The command line that does what an installed tool would do with its arguments; empty where the tool itself can. */
type Replacement = (args: string[], tool: Installed) => string[];

/** Options of `ts-node` and `tsx` that say how to compile, which is not up to them here; the second kind takes a word. */
const COMPILING =
	/^(-T|--transpile-only|--transpileOnly|--esm|--files|--pretty|--swc|--no-cache|--type-check|--respawn|--clear|--cls|--quiet)$/;
const COMPILING_WITH =
	/^(-P|--project|-O|--compilerOptions|-C|--compiler|-I|--ignore|--tsconfig|--ignore-watch|--exclude|--include)$/;

/** Node itself runs TypeScript here. */
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

/** Above the tool's own package: where npm puts what it needs, and where pnpm does. */
const PACKAGES_BESIDE = ['../..', '../../../../node_modules'];

/**
 * Leaves jest to itself, unless its programs cannot wait for each other, its tests are to be modules of `vm`, or its
 * resolver (from 30 on) has no WebAssembly release here.
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

/** Leaves vitest to itself, unless its programs cannot wait for each other. */
const asVitest: Replacement = (args) => (typeof SharedArrayBuffer === 'undefined' ? ['vitest', ...args] : []);

const isService = (args: string[]): boolean => args.some((word) => word.startsWith('--service='));

/** Entry files of tools that are native or need a machine → the sandbox's own command in their place. */
const REPLACED: [RegExp, Replacement][] = [
	[/\/node_modules\/vitest\/vitest\.mjs$/, asVitest],
	[/\/node_modules\/(jest|jest-cli)\/bin\/jest\.js$/, asJest],
	// It would start a browser; the tab's own is there.
	[/\/node_modules\/(@playwright\/test|playwright|playwright-core)\/cli\.js$/, (args) => ['playwright', ...args]],
	// Its library talks to a program of just its own version, and a build by another one is another build.
	[
		/\/node_modules\/esbuild\/bin\/esbuild$/,
		(args, { isThere }) => (isService(args) || isThere('../esbuild.wasm') ? [] : ['esbuild', ...args])
	],
	// From 7 on it is a native program.
	[
		/\/node_modules\/typescript\/(bin\/tsc|lib\/tsc\.js)$/,
		(args, { isThere }) => (isThere('../lib/getExePath.js') ? ['tsc', ...args] : [])
	],
	[/\/node_modules\/tsx\/dist\/cli\.mjs$/, asNode(false)],
	[/\/node_modules\/ts-node\/dist\/bin[\w-]*\.js$/, asNode(false)],
	[/\/node_modules\/(ts-node-dev|tsnd)\/lib\/bin\.js$/, asNode(true)]
];

/** Packages that teach Node to read TypeScript, which it does here without them: nothing to preload. */
export const isTypeScriptLoader = (specifier: string): boolean =>
	/^(tsx|ts-node|tsconfig-paths|esbuild-register|@swc-node\/register|@esbuild-kit\/\w+)(\/[\w/-]+)?$/.test(specifier);

/**
 * The command line that runs instead of an installed tool's `file` with these arguments, where the sandbox has one.
 * @param execArgv Node's own flags of the command line
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
