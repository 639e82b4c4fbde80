import {
	creating,
	installing,
	leadingFlags,
	type Order,
	type ReadOrder,
	refusal,
	type Selection,
	splitFlags,
	valuesOf,
	withoutDashes
} from './order.ts';

export const PNPM_VERSION = '10.20.0';
const WITH_VALUE = ['--filter', '-F', '-C', '--dir', '--registry', '--reporter', '--loglevel', '--package'];
const REFUSED = [
	'publish',
	'pack',
	'link',
	'unlink',
	'audit',
	'store',
	'env',
	'patch',
	'patch-commit',
	'deploy',
	'server',
	'config',
	'login',
	'outdated',
	'licenses',
	'self-update',
	'setup',
	'import',
	'rebuild',
	'rb',
	'approve-builds'
];

/** `pnpm`. */
export const pnpm: ReadOrder = (args) => {
	// Flags before the command belong to pnpm; those after the name of a script belong to the script.
	const [own, [command = '', ...rest]] = leadingFlags(args, WITH_VALUE);
	const [directory] = valuesOf(own, '-C', '--dir');
	return { ...read(command, rest, own), ...selected(own), ...(directory === undefined ? {} : { directory }) };
};

function read(command: string, rest: string[], own: string[]): Order {
	const { words, flags } = splitFlags(rest, WITH_VALUE);
	switch (command) {
		case '':
			if (own.some((flag) => flag === '-v' || flag === '--version')) return { do: 'print', lines: [PNPM_VERSION] };
			return { do: 'npm', args: [] };
		case 'install':
		case 'i':
		case 'ci':
		case 'add':
			return { ...installing('install', words, [...own, ...flags]), ...selected(flags) };
		case 'remove':
		case 'rm':
		case 'uninstall':
		case 'un':
			return { ...installing('uninstall', words, [...own, ...flags]), ...selected(flags) };
		case 'update':
		case 'up':
		case 'upgrade':
			return installing('update', words, [...own, ...flags]);
		case 'dedupe':
		case 'prune':
		case 'fetch':
			return installing('install', [], own);
		case 'run':
		case 'run-script': {
			const [script, ...args] = rest.filter((word) => word !== '--if-present');
			return script === undefined ? { do: 'npm', args: ['run'] } : run(script, args);
		}
		case 't':
		case 'tst':
			return run('test', rest);
		case 'test':
		case 'start':
		case 'restart':
			return run(command, rest);
		case 'exec':
			return { do: 'exec', args: withoutDashes(rest), mayFetch: false };
		case 'dlx':
			return { do: 'exec', args: rest, mayFetch: true };
		case 'create':
			return creating(rest);
		case 'init':
			return { do: 'npm', args: ['init', '-y'] };
		case 'ls':
		case 'list':
		case 'why':
			return { do: 'npm', args: ['ls', ...words, ...flags.filter((flag) => /^--(depth|json|all)/.test(flag))] };
		case 'view':
		case 'info':
		case 'root':
			return { do: 'npm', args: [command, ...rest] };
		case 'help':
			return { do: 'npm', args: [] };
		default:
			if (REFUSED.includes(command)) return refusal('pnpm', command);
			return { do: 'run', script: command, args: rest, orCommand: true };
	}
}

/** pnpm passes `--` to the script as well, and nearly every program interprets it correctly. */
const run = (script: string, args: string[]): Order => ({
	do: 'run',
	script,
	args: withoutDashes(args),
	orCommand: false
});

/** `-r` and `--filter`, which may also follow `add`. */
function selected(flags: string[]): { in?: Selection } {
	const filters = valuesOf(flags, '--filter', '-F');
	if (filters.length > 0) return { in: filters };
	return flags.some((flag) => flag === '-r' || flag === '--recursive') ? { in: 'all' } : {};
}
