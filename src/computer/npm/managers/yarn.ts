import { creating, installing, type Order, type ReadOrder, refusal, splitFlags, withoutDashes } from './order.ts';

export const YARN_VERSION = '1.22.22';
const WITH_VALUE = ['--registry', '--network-timeout', '--cache-folder', '--mode'];
const REFUSED = [
	'publish',
	'pack',
	'link',
	'unlink',
	'audit',
	'cache',
	'config',
	'set',
	'plugin',
	'policies',
	'global',
	'login',
	'logout',
	'outdated',
	'upgrade-interactive',
	'autoclean',
	'version',
	'npm',
	'patch',
	'constraints'
];

/** `yarn`: version 1 and later ones, as far as they are compatible. */
export const yarn: ReadOrder = (args) => {
	const [first = '', second, ...others] = args;
	if (first === '--cwd' && second !== undefined) return { ...yarn(others), directory: second };
	if (first.startsWith('--cwd=')) return { ...yarn(args.slice(1)), directory: first.slice('--cwd='.length) };
	if (first === '-v' || first === '--version') return { do: 'print', lines: [YARN_VERSION] };
	if (first === '' || first.startsWith('-')) return installing('install', [], args);
	return read(first, args.slice(1));
};

function read(command: string, rest: string[]): Order {
	const { words, flags } = splitFlags(rest, WITH_VALUE);
	switch (command) {
		case 'install':
			return installing('install', [], flags);
		case 'add':
			// `-P` is yarn's flag for a peer dependency.
			return installing(
				'install',
				words,
				flags.map((flag) => (flag === '-P' ? '--peer' : flag))
			);
		case 'remove':
			return installing('uninstall', words, flags);
		case 'upgrade':
		case 'up':
			return installing('update', words, flags);
		case 'dedupe':
			return installing('install', [], flags);
		case 'run': {
			const [script, ...args] = rest;
			return script === undefined ? { do: 'npm', args: ['run'] } : { do: 'run', script, args, orCommand: true };
		}
		case 'exec':
			return { do: 'exec', args: withoutDashes(rest), mayFetch: false };
		case 'dlx':
			return { do: 'exec', args: rest, mayFetch: true };
		case 'node':
			return { do: 'program', argv: ['node', ...rest] };
		case 'create':
			return creating(rest);
		case 'init':
			return { do: 'npm', args: ['init', '-y'] };
		case 'workspace': {
			const [name = '', ...args] = rest;
			return { ...yarn(args), in: [name] };
		}
		case 'workspaces':
			return workspaces(rest);
		case 'list':
		case 'why':
			return { do: 'npm', args: ['ls', ...words] };
		case 'info':
			return { do: 'npm', args: ['view', ...rest] };
		case 'help':
			return { do: 'npm', args: [] };
		default:
			if (REFUSED.includes(command)) return refusal('yarn', command);
			return { do: 'run', script: command, args: rest, orCommand: true };
	}
}

/** `yarn workspaces run x`, `yarn workspaces foreach --all -pt run x`. */
function workspaces([verb = '', ...rest]: string[]): Order {
	if (verb === 'run') return { ...yarn(['run', ...rest]), in: 'all' };
	if (verb !== 'foreach') return refusal('yarn', `workspaces ${verb}`.trim());
	const start = rest.findIndex(
		(word, index) => !word.startsWith('-') && !/^--(include|exclude|from)$/.test(rest[index - 1] ?? '')
	);
	const from = rest.flatMap((word, index) => (/^--(include|from)$/.test(rest[index - 1] ?? '') ? [word] : []));
	return start < 0
		? refusal('yarn', 'workspaces foreach')
		: { ...yarn(rest.slice(start)), in: from.length > 0 ? from : 'all' };
}
