import { SyscallError } from '#computer/abi/client.ts';
import { ExitJump, LineJump } from '../state/control.ts';
import type { BuiltIn, Call } from '../state/host.ts';
import type { Shell } from '../state/shell.ts';
import { decode, encode } from '#computer/process/text.ts';

/** Number of entries that `fc -l` shows. */
const PAGE = 16;

/** Path of the history file; null if HISTFILE is unset. */
const fileOf = (shell: Shell): string | null => {
	const name = shell.variables.get('HISTFILE');
	return name ? shell.path(name) : null;
};

/** Lines of the history file; null if there is none. */
export function readHistoryFile(shell: Shell): string[] | null {
	const path = fileOf(shell);
	const { sync } = shell.host.context;
	if (path === null || sync.statOrNull(path)?.kind !== 'file') return null;
	return decode(sync.readFile(path))
		.split('\n')
		.filter((line) => line !== '');
}

export function historyLimit(shell: Shell): number {
	const size = shell.variables.get('HISTSIZE');
	return size === undefined || !/^\d+$/.test(size) ? Infinity : Number(size);
}

function write(shell: Shell, path: string, lines: readonly string[]): void {
	const limit = shell.variables.get('HISTFILESIZE');
	const kept = limit && /^\d+$/.test(limit) ? lines.slice(-Number(limit) || lines.length) : lines;
	shell.host.context.sync.writeFile(path, encode(kept.map((line) => `${line}\n`).join('')));
}

/** Truncates the history file as soon as HISTFILESIZE requires it. */
export function followHistorySize(shell: Shell): void {
	shell.variables.followed.set('HISTFILESIZE', (size, variables) => {
		const name = variables.get('HISTFILE');
		const { sync } = shell.host.context;
		if (size === undefined || !name || !/^\d+$/.test(size) || sync.statOrNull(shell.path(name))?.kind !== 'file')
			return;
		const lines = decode(sync.readFile(shell.path(name)))
			.split('\n')
			.slice(0, -1);
		if (lines.length <= Number(size)) return;
		const kept = Number(size) === 0 ? [] : lines.slice(-Number(size));
		sync.writeFile(shell.path(name), encode(kept.map((line) => `${line}\n`).join('')));
	});
}

/** Appends new entries to the history file. Returns false if there is no file. */
export function appendHistory(shell: Shell): boolean {
	const path = fileOf(shell);
	const { history } = shell.host;
	if (path === null) return false;
	const before = readHistoryFile(shell) ?? [];
	const fresh = history.fresh > 0 ? history.entries.slice(-history.fresh) : [];
	write(shell, path, [...before, ...fresh]);
	history.fresh = 0;
	history.known = before.length + fresh.length;
	return true;
}

/** Writes the history when a shell ends. */
export function saveHistory(shell: Shell): void {
	const path = fileOf(shell);
	const { history } = shell.host;
	if (path === null || history.fresh === 0) return;
	try {
		if (history.fresh < history.entries.length || shell.shopt.has('histappend')) appendHistory(shell);
		else if (history.base > 1) write(shell, path, history.entries);
		else appendHistory(shell);
	} catch (error) {
		// As in bash, HISTFILE may be a path that cannot be written.
		if (!(error instanceof SyscallError)) throw error;
	}
}

const history: BuiltIn = async (call) => {
	const { shell, args } = call;
	const { host } = shell;
	host.history.shrink(historyLimit(shell));
	const [flag = ''] = args;
	if (/^-[canrw]$/.test(flag)) return withFile(call, flag);
	if (flag.startsWith('-d')) return remove(call, flag.length > 2 ? flag.slice(2) : (args[1] ?? ''));
	if (flag === '-s') {
		host.history.add(args.slice(1).join(' '), historyLimit(shell));
		return 0;
	}
	if (flag === '-p') {
		await call.out(
			args
				.slice(1)
				.map((arg) => `${arg}\n`)
				.join('')
		);
		return 0;
	}
	if (/^-[^-]/.test(flag)) {
		await call.complain(`${flag}: invalid option`);
		return 2;
	}
	const words = flag === '--' ? args.slice(1) : args;
	if (words[0] !== undefined && !/^\+?\d+$/.test(words[0])) {
		await call.complain(`${words[0]}: numeric argument required`);
		return 1;
	}
	if (words.length > 1) {
		await call.complain('too many arguments');
		throw shell.interactive ? new LineJump(1) : new ExitJump(1);
	}
	const { entries, base } = host.history;
	const from = words[0] === undefined ? 0 : Math.max(0, entries.length - Number(words[0]));
	const lines = entries.map((entry, index) => `${String(base + index).padStart(5)}  ${entry}\n`);
	await call.out(lines.slice(from).join(''));
	return 0;
};

async function withFile(call: Call, flag: string): Promise<number> {
	const { shell } = call;
	const { history: known } = shell.host;
	if (flag === '-c') {
		known.clear();
		return 0;
	}
	if (flag === '-a') return appendHistory(shell) ? 0 : 1;
	const path = fileOf(shell);
	if (path === null) return 1;
	if (flag === '-w') {
		write(shell, path, known.entries);
		known.fresh = 0;
		return 0;
	}
	const lines = readHistoryFile(shell);
	if (!lines) {
		await call.complain(`${path}: cannot read: No such file or directory`);
		return 1;
	}
	const { fresh } = known;
	for (const line of flag === '-n' ? lines.slice(known.known) : lines) known.add(line, historyLimit(shell));
	known.fresh = fresh;
	known.known = lines.length;
	return 0;
}

async function remove(call: Call, which: string): Promise<number> {
	const { history: known } = call.shell.host;
	const [, first = '', last] = /^(-?\d+)(?:-(-?\d+))?$/.exec(which) ?? [];
	const index = (text: string) =>
		text.startsWith('-') ? known.entries.length + Number(text) : Number(text) - known.base;
	if (first !== '' && known.remove(index(first), last === undefined ? undefined : index(last))) return 0;
	await call.complain(`${which}: history position out of range`);
	return 1;
}

const fc: BuiltIn = async (call) => {
	const { shell } = call;
	let flags = '';
	let at = 0;
	for (; /^-[lnrse]+$/.test(call.args[at] ?? ''); at++) flags += call.args[at];
	const words = call.args.slice(at);
	const { entries, base } = shell.host.history;
	// The last entry is the command itself.
	const list = shell.options.history ? entries.slice(0, -1) : entries;
	if (!flags.includes('l')) return repeat(call, list, words);
	if (list.length === 0) return 0;
	const place = (word: string | undefined, fallback: number): number => {
		if (word === undefined) return fallback;
		if (/^\d+$/.test(word)) return Number(word) - base;
		if (/^-\d+$/.test(word)) return list.length + Number(word);
		return list.findLastIndex((entry) => entry.startsWith(word));
	};
	const clamp = (index: number) => Math.min(Math.max(index, 0), list.length - 1);
	const from = clamp(place(words[0], list.length - PAGE));
	const to = clamp(place(words[1], list.length - 1));
	const indexes = Array.from({ length: Math.abs(to - from) + 1 }, (_value, index) => Math.min(from, to) + index);
	if (from > to || flags.includes('r')) indexes.reverse();
	const line = (index: number) => `${flags.includes('n') ? '' : base + index}\t ${list[index] ?? ''}\n`;
	await call.out(indexes.map(line).join(''));
	return 0;
};

/** `fc -s`: runs a command again, with one text replaced by another. */
async function repeat(call: Call, list: readonly string[], words: readonly string[]): Promise<number> {
	const changes = words.filter((word) => word.includes('='));
	const prefix = words.find((word) => !word.includes('=')) ?? '';
	let text = list.findLast((entry) => entry.startsWith(prefix));
	if (text === undefined) {
		await call.complain('no command found');
		return 1;
	}
	for (const change of changes) {
		const [from = '', to = ''] = change.split('=');
		text = text.replaceAll(from, to);
	}
	await call.shell.descriptors.get(2)?.write(encode(`${text}\n`));
	return call.shell.host.evaluate(call.shell, text);
}

export const historyBuiltins: Record<string, BuiltIn> = { history, fc };
