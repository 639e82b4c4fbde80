import { installing, type Order, type ReadOrder, refusal, type Selection, splitFlags } from './order.ts';

export const PNPM_VERSION = '10.20.0';
const WITH_VALUE = ['--filter', '-F', '-C', '--dir', '--registry', '--reporter', '--loglevel', '--package'];
const REFUSED = ['publish', 'pack', 'link', 'unlink', 'audit', 'store', 'env', 'patch', 'patch-commit', 'deploy', 'server',
	'config', 'login', 'outdated', 'licenses', 'self-update', 'setup', 'import', 'rebuild', 'rb', 'approve-builds']; // prettier-ignore

/** `pnpm`. */
export const pnpm: ReadOrder = (args) => {
	// Flags before the command are pnpm's own; behind the name of a script they are the script's.
	let at = 0;
	const own: string[] = [];
	for (; at < args.length && args[at]?.startsWith('-'); at++) {
		const flag = args[at] ?? '';
		own.push(WITH_VALUE.includes(flag) ? `${flag}=${args[++at] ?? ''}` : flag);
	}
	const [command = '', ...rest] = args.slice(at);
	const order = read(command, rest, own);
	const selection = selected(own);
	const directory = own.find((flag) => /^(-C|--dir)=/.test(flag))?.replace(/^[^=]*=/, '');
	return {
		...order,
		...(selection === null ? {} : { in: selection }),
		...(directory === undefined ? {} : { directory })
	};
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
			return { ...installing('install', words, [...own, ...flags]), ...recursion(flags) };
		case 'add':
			return { ...installing('install', words, [...own, ...flags]), ...recursion(flags) };
		case 'remove':
		case 'rm':
		case 'uninstall':
		case 'un':
			return { ...installing('uninstall', words, [...own, ...flags]), ...recursion(flags) };
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
			const [script, ...args] = rest.filter((word, index) => !(index < rest.length && word === '--if-present'));
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
			return { do: 'exec', args: rest[0] === '--' ? rest.slice(1) : rest, mayFetch: false };
		case 'dlx':
			return { do: 'exec', args: rest, mayFetch: true };
		case 'create':
			return { do: 'npm', args: ['create', ...rest.slice(0, 1), '--', ...rest.slice(1)] };
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

/** pnpm hands `--` on to the script as well, which nearly every program takes for what it is. */
const run = (script: string, args: string[]): Order => ({
	do: 'run',
	script,
	args: args[0] === '--' ? args.slice(1) : args,
	orCommand: false
});

/** `-r` and `--filter`, which may stand behind `add` as well. */
function selected(flags: string[]): Selection | null {
	const filters = flags.filter((flag) => /^(--filter|-F)=/.test(flag)).map((flag) => flag.replace(/^[^=]*=/, ''));
	if (filters.length > 0) return filters;
	return flags.some((flag) => flag === '-r' || flag === '--recursive') ? 'all' : null;
}

function recursion(flags: string[]): { in?: Selection } {
	const selection = selected(flags);
	return selection === null ? {} : { in: selection };
}
