import { byteOrder } from '../expansion/glob.ts';
import { backslashQuote } from '../expansion/quote.ts';
import type { Completion } from '#computer/terminal/completion.ts';
import type { Shell } from '../state/shell.ts';

/** Completes commands at the start of a command, variables after `$`, otherwise paths. */
export function complete(shell: Shell, before: string): Completion {
	const word = /(?:[^\s\\;|&<>()"']|\\.)*$/.exec(before)?.[0] ?? '';
	const earlier = before.slice(0, before.length - word.length);
	const variable = /\$(\w*)$/.exec(word);
	if (variable) {
		const prefix = variable[1] ?? '';
		const names = shell.variables.names().filter((name) => name.startsWith(prefix));
		return { replaces: prefix.length, choices: names, labels: names };
	}
	const first = /(^|[;|&(]|\b(?:then|do|else|sudo|exec|time))\s*$/.test(earlier) && !word.includes('/');
	return first ? commands(shell, word) : paths(shell, word, /(^|[;|&]\s*)cd\s+$/.test(earlier));
}

function commands(shell: Shell, word: string): Completion {
	const { host } = shell;
	const names = new Set([
		...host.programs,
		...host.builtins.keys(),
		...host.utilities.keys(),
		...shell.functions.keys(),
		...shell.aliases.keys()
	]);
	const matching = [...names].filter((name) => name.startsWith(word) && name !== '').sort(byteOrder);
	return { replaces: word.length, choices: matching.map((name) => `${name} `), labels: matching };
}

function paths(shell: Shell, word: string, directoriesOnly: boolean): Completion {
	const plain = word.replace(/\\(.)/g, '$1');
	const slash = plain.lastIndexOf('/');
	const shownBase = slash < 0 ? '' : plain.slice(0, slash + 1);
	const prefix = plain.slice(slash + 1);
	const home = shell.variables.get('HOME') ?? '/home/user';
	const base = shell.path(shownBase.replace(/^~(?=\/)/, home) || '.');
	const { sync } = shell.host.context;
	const stat = sync.statOrNull(base);
	if (stat?.kind !== 'directory') return { replaces: 0, choices: [], labels: [] };
	const found = sync
		.readdir(base)
		.filter((entry) => entry.name.startsWith(prefix) && (prefix.startsWith('.') || !entry.name.startsWith('.')))
		.map((entry) => {
			const kind = entry.kind === 'symlink' ? sync.statOrNull(shell.path(`${base}/${entry.name}`))?.kind : entry.kind;
			return { name: entry.name, directory: kind === 'directory' };
		})
		.filter((entry) => entry.directory || !directoriesOnly)
		.sort((a, b) => byteOrder(a.name, b.name));
	const quote = (text: string) => (text === '' ? '' : backslashQuote(text).replace(/^\\~/, '~'));
	return {
		replaces: [...word].length,
		choices: found.map((entry) => quote(shownBase) + quote(entry.name) + (entry.directory ? '/' : ' ')),
		labels: found.map((entry) => entry.name + (entry.directory ? '/' : ''))
	};
}
