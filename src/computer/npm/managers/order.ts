import { KEEP_RANGES } from '../install/options.ts';

/** Selected packages of a project: all of them, or those matching names, patterns and directories. */
export type Selection = 'all' | readonly string[];

/** Command line of another package manager, translated to npm's terms. */
export type Order = (
	| { do: 'npm'; args: string[] }
	/** A script of package.json; `orCommand`: otherwise a command of an installed package. */
	| { do: 'run'; script: string; args: string[]; orCommand: boolean }
	/** A command of an installed package; `mayFetch`: or of one fetched for it. */
	| { do: 'exec'; args: string[]; mayFetch: boolean }
	/** A program of the sandbox. */
	| { do: 'program'; argv: string[] }
	| { do: 'print'; lines: string[] }
	| { do: 'refuse'; lines: string[] }
) & { in?: Selection; /** Directory in which it is run. */ directory?: string };

/** Parses the words after the name of a package manager. Never throws. */
export type ReadOrder = (args: string[]) => Order;

/** Separates flags (with their values) from words; everything after `--` is a word. */
export function splitFlags(args: string[], withValue: readonly string[] = []): { words: string[]; flags: string[] } {
	const words: string[] = [];
	const flags: string[] = [];
	for (let at = 0; at < args.length; at++) {
		const arg = args[at] ?? '';
		if (arg === '--') {
			words.push(...args.slice(at + 1));
			break;
		}
		if (!arg.startsWith('-')) words.push(arg);
		else if (withValue.includes(arg)) flags.push(`${arg}=${args[++at] ?? ''}`);
		else flags.push(arg);
	}
	return { words, flags };
}

/** Splits words before the first argument (flags and their values) from the rest. */
export function leadingFlags(args: string[], withValue: readonly string[]): [flags: string[], rest: string[]] {
	const start = args.findIndex((word, index) => !word.startsWith('-') && !withValue.includes(args[index - 1] ?? ''));
	const own = start < 0 ? args : args.slice(0, start);
	return [splitFlags(own, withValue).flags, start < 0 ? [] : args.slice(start)];
}

/** Values of `--name=value`, under any of the names. */
export const valuesOf = (flags: readonly string[], ...names: string[]): string[] =>
	flags.flatMap((flag) => {
		const at = flag.indexOf('=');
		return at >= 0 && names.includes(flag.slice(0, at)) ? [flag.slice(at + 1)] : [];
	});

/** `npm create vite` takes the initializer's own arguments after `--`, while others take them directly. */
export const creating = ([initializer, ...rest]: string[]): Order => ({
	do: 'npm',
	args: ['create', ...(initializer === undefined ? [] : [initializer]), '--', ...rest]
});

/** Words after a leading `--`. */
export const withoutDashes = (args: string[]): string[] => (args[0] === '--' ? args.slice(1) : args);

/**
 * Installing changes node_modules and package.json; the other package manager's lockfile can only be written by itself.
 * pnpm, yarn and bun warn of conflicting peers and continue, as npm does with `--force`.
 */
export function installing(command: 'install' | 'uninstall' | 'update', words: string[], flags: string[]): Order {
	if (flags.some(isHelp)) return { do: 'npm', args: ['help'] };
	const own = flags.flatMap((flag) => npmFlag(flag) ?? []);
	return { do: 'npm', args: [command, '--no-package-lock', '--force', KEEP_RANGES, ...own, ...words] };
}

/** Returns whether a flag requests help. */
export const isHelp = (flag: string): boolean => flag === '--help' || flag === '-h';

/** Translates flags that mean the same everywhere, or correspond to one of npm. Others have no effect here. */
function npmFlag(flag: string): string | null {
	switch (flag.replace(/=true$/, '')) {
		case '-D':
		case '-d':
		case '--dev':
		case '--save-dev':
			return '--save-dev';
		case '-O':
		case '--optional':
		case '--save-optional':
			return '--save-optional';
		case '--peer':
		case '--save-peer':
			return '--save-peer';
		case '-E':
		case '--exact':
		case '--save-exact':
			return '--save-exact';
		case '-P':
		case '--prod':
		case '--production':
			return '--omit=dev';
		case '--no-optional':
		case '--ignore-optional':
			return '--omit=optional';
		case '-s':
		case '--silent':
			return '--silent';
		case '-g':
		case '--global':
			return '--global';
		default:
			return /^--registry=/.test(flag) ? flag : null;
	}
}

/** Error for something unsupported here. */
export const refusal = (manager: string, command: string): Order => ({
	do: 'refuse',
	lines: [
		`${manager} ${command} is not available in this sandbox, where npm does the work of ${manager}.`,
		`Known are install, add, remove, update, run, test, exec and create; or use npm.`
	]
});
