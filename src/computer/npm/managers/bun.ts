import {
	creating,
	installing,
	leadingFlags,
	type Order,
	type ReadOrder,
	refusal,
	splitFlags,
	valuesOf
} from './order.ts';

export const BUN_VERSION = '1.3.0';
const SOURCE = /\.[cm]?[jt]sx?$|^\.{1,2}\//;
const WITH_VALUE = ['--filter', '-F', '--cwd', '--registry'];
const REFUSED = ['pm', 'link', 'unlink', 'upgrade', 'publish', 'patch', 'outdated', 'repl', 'audit'];

/** `bun`: Node runs the programs, npm installs the packages. */
export const bun: ReadOrder = (args) => {
	const [own, [command = '', ...behind]] = leadingFlags(args, WITH_VALUE);
	// Flags may also follow `run`.
	const [more, rest] = command === 'run' ? leadingFlags(behind, WITH_VALUE) : [[], behind];
	const flags = [...own, ...more];
	if (flags.includes('-v') || flags.includes('--version')) return { do: 'print', lines: [BUN_VERSION] };
	if (flags.some((flag) => ['-e', '--eval', '-p', '--print'].includes(flag)))
		return { do: 'program', argv: ['node', ...args] };
	const filters = valuesOf(flags, '--filter', '-F');
	const [directory] = valuesOf(flags, '--cwd');
	return {
		...read(command, rest, flags),
		...(filters.length > 0 ? { in: filters } : {}),
		...(directory === undefined ? {} : { directory })
	};
};

function read(command: string, rest: string[], own: string[]): Order {
	const { words, flags } = splitFlags(rest, WITH_VALUE);
	switch (command) {
		case '':
			return { do: 'npm', args: [] };
		case 'install':
		case 'i':
		case 'ci':
		case 'add':
		case 'a':
			return installing('install', words, flags);
		case 'remove':
		case 'rm':
			return installing('uninstall', words, flags);
		case 'update':
			return installing('update', words, flags);
		case 'run': {
			const [script, ...args] = rest;
			if (script === undefined) return { do: 'npm', args: ['run'] };
			return SOURCE.test(script) ? node(own, rest) : { do: 'run', script, args, orCommand: true };
		}
		case 'x':
			return { do: 'exec', args: rest[0] === '--bun' ? rest.slice(1) : rest, mayFetch: true };
		case 'create':
			return creating(rest);
		case 'init':
			return { do: 'npm', args: ['init', '-y'] };
		case 'test':
			return {
				do: 'refuse',
				lines: [
					'bun test runs tests of "bun:test", which this sandbox has not: there is Node.',
					'node --test, vitest, jest and mocha run here; a script of package.json runs with bun run <name>.'
				]
			};
		case 'build':
			return {
				do: 'refuse',
				lines: ['bun build is not available in this sandbox: esbuild <file> --bundle is, and so are Vite and Rollup.']
			};
		default:
			if (REFUSED.includes(command)) return refusal('bun', command);
			if (SOURCE.test(command)) return node(own, [command, ...rest]);
			return { do: 'run', script: command, args: rest, orCommand: true };
	}
}

/** Flags that Node has as well. */
const node = (flags: string[], words: string[]): Order => ({
	do: 'program',
	argv: ['node', ...flags.filter((flag) => /^--(watch|env-file=.*)$/.test(flag)), ...words]
});
