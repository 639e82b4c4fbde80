import type { ProcessInfo } from '#computer/abi/syscalls.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';
import { UsageError } from '../options.ts';
import { nameOf } from './process-list.ts';
import { type Column, COLUMNS } from './ps-columns.ts';

/** Predefined formats by option; a name may have a title, as for `-o`. */
const FORMATS = {
	usual: 'pid,tname,time,args=CMD',
	bsd: 'pid,tname,stat,bsdtime,args',
	full: 'user=UID,pid,ppid,c,stime,tname,time,args=CMD',
	extra: 'user=UID,pid,ppid,c,sz,rss,psr,stime,tname,time,args=CMD',
	users: 'user,pid,%cpu,%mem,vsz,rss,tname,stat,start_time,bsdtime,args',
	long: 'f,s,uid,pid,ppid,c,pri,ni,addr,sz,wchan,tname,time,comm=CMD',
	bsdLong: 'f,uid,pid,ppid,pri,ni,vsz,rss,wchan,stat,tname,bsdtime,args',
	jobs: 'pid,pgid,sid,tname,time,args=CMD',
	bsdJobs: 'ppid,pid,pgid,sid,tname,stat,uid,bsdtime,args'
} as const;

/** Single-letter options that take a value, with or without a dash. */
const WITH_VALUE = new Set('oOpCuUgGstkq');
const BSD_WITH_VALUE = new Set('oOpUkt');
const LONG_WITH_VALUE = new Set(
	'ppid pid quick-pid sort user User group Group sid tty cols columns width rows lines format'.split(' ')
);

type Select = (process: ProcessInfo) => boolean;

/** Columns, processes and order requested by the arguments of one call. */
class Request {
	format: keyof typeof FORMATS | null = null;
	columns: { column: Column; title: string }[] = [];
	isHeadless = false;
	isDeselected = false;
	readonly selections: Select[] = [];
	/** Columns to sort by, each with a sign. */
	order: string[] = [];

	/** @throws UsageError */
	constructor(args: readonly string[]) {
		const left = [...args];
		for (let word = left.shift(); word !== undefined; word = left.shift()) {
			if (word.startsWith('--')) this.#long(word.slice(2), left);
			else if (/^-?\d+(?:,\d+)*$/.test(word)) this.#select('p', word.replace('-', ''));
			// As in procps, if no user is named `x`.
			else if (/^-a?uxw*$/.test(word)) this.#letters(word.slice(1), left, false);
			else if (word.startsWith('-')) this.#letters(word.slice(1), left, true);
			else this.#letters(word, left, false);
		}
	}

	#long(text: string, left: string[]): void {
		const [name = '', inline] = text.split(/=(.*)/s);
		const value = LONG_WITH_VALUE.has(name) ? (inline ?? left.shift()) : '';
		if (value === undefined) throw new UsageError(`option '--${name}' requires an argument`);
		if (/^no-?head(?:er|ing)s?$/.test(name)) this.isHeadless = true;
		else if (name === 'deselect') this.isDeselected = true;
		else if (name === 'sort') this.order = value.split(',');
		else if (name === 'format') this.#addColumns(value);
		else if (name === 'ppid') this.#select('P', value);
		else if (name === 'pid' || name === 'quick-pid') this.#select('p', value);
		else if (name === 'sid') this.#select('s', value);
		else if (!LONG_WITH_VALUE.has(name) && !['headers', 'forest', 'everyone', 'cumulative'].includes(name))
			throw new UsageError(`unknown gnu long option`);
	}

	#letters(word: string, left: string[], hasDash: boolean): void {
		for (const [index, letter] of [...word].entries()) {
			if (!(hasDash ? WITH_VALUE : BSD_WITH_VALUE).has(letter)) {
				if (hasDash) this.#plain(letter);
				else this.#bsd(letter);
				continue;
			}
			const value = word.slice(index + 1) || left.shift();
			if (value === undefined) throw new UsageError(`list of process IDs must follow ${hasDash ? '-' : ''}${letter}`);
			if (letter === 'o' || letter === 'O')
				this.#addColumns(letter === 'O' ? `pid,${value},stat,tname,time,args` : value);
			else if (letter === 'k') this.order = value.split(',');
			else this.#select(letter, value);
			return;
		}
	}

	#plain(letter: string): void {
		const formats: Record<string, keyof typeof FORMATS> = { f: 'full', F: 'extra', l: 'long', j: 'jobs' };
		if (formats[letter]) this.format = formats[letter];
		else if (letter === 'N') this.isDeselected = true;
		else if (/[eAad]/.test(letter)) this.selections.push(() => true);
		else if (!/[HLTMVcmwxyZP]/.test(letter)) throw new UsageError('unsupported SysV option');
	}

	#bsd(letter: string): void {
		const formats: Record<string, keyof typeof FORMATS> = { u: 'users', l: 'bsdLong', j: 'bsdJobs' };
		if (formats[letter]) this.format = formats[letter];
		else if (letter === 'h') this.isHeadless = true;
		else if (/[axgr]/.test(letter)) {
			this.format ??= 'bsd';
			this.selections.push(() => true);
		} else if (!/[cefmnwTSLHsvX]/.test(letter)) throw new UsageError('unsupported option (BSD syntax)');
	}

	/** @param kind letter of the option */
	#select(kind: string, value: string): void {
		const words = value.split(/[\s,]+/).filter(Boolean);
		const isNumber = /[pPsgq]/.test(kind);
		if (isNumber && !words.every((word) => /^\d+$/.test(word))) throw new UsageError('process ID list syntax error');
		const numbers = new Set(words.map(Number));
		const kinds: Record<string, Select> = {
			C: (process) => words.includes(nameOf(process)),
			P: ({ parent }) => numbers.has(parent),
			s: ({ session }) => numbers.has(session),
			g: ({ session }) => numbers.has(session),
			p: ({ pid }) => numbers.has(pid),
			q: ({ pid }) => numbers.has(pid)
		};
		// All processes belong to the user and to the same terminal.
		const isOwn = words.some((word) => ['user', '1000', 'pts/0', '/dev/pts/0'].includes(word));
		this.selections.push(kinds[kind] ?? (() => isOwn));
	}

	#addColumns(text: string): void {
		this.columns.push(...columnsNamed(text));
	}
}

/** Parses column names separated by commas or blanks, optionally with titles: `pid=,args=CMD`. @throws UsageError */
function columnsNamed(text: string): Request['columns'] {
	return [...text.matchAll(/([^\s,=]+)(?:=([^,]*))?/g)].map(([, name = '', title]) => {
		const column = COLUMNS[name];
		if (!column) throw new UsageError(`unknown user-defined format specifier "${name}"`);
		return { column, title: title ?? column.title };
	});
}

const columnsOf = ({ columns, format }: Request): Request['columns'] =>
	columns.length > 0 ? columns : columnsNamed(FORMATS[format ?? 'usual']);

/** Sorts processes by the requested columns. @throws UsageError */
function sorted(processes: ProcessInfo[], order: readonly string[]): ProcessInfo[] {
	const keys = order.map((word) => {
		const name = word.replace(/^[-+]/, '');
		const column = COLUMNS[name];
		if (!column) throw new UsageError('unknown sort specifier');
		return { column, sign: word.startsWith('-') ? -1 : 1 };
	});
	return processes.toSorted((a, b) => {
		for (const { column, sign } of keys) {
			const [left, right] = [column.value(a), column.value(b)];
			const difference = column.isText ? (left < right ? -1 : Number(left > right)) : Number(left) - Number(right);
			if (difference) return sign * difference;
		}
		return 0;
	});
}

/** Lines of a table; the last column has no minimum width. */
function* rowsOf({ isHeadless }: Request, columns: Request['columns'], processes: readonly ProcessInfo[]) {
	const row = (cells: readonly string[]): string =>
		cells
			.map((cell, index) => {
				const { column, title } = columns[index]!;
				const width = Math.max(column.width, title.length);
				if (!column.isText) return cell.padStart(width);
				return index === cells.length - 1 ? cell : cell.padEnd(width);
			})
			.join(' ');
	if (!isHeadless && columns.some(({ title }) => title !== '')) yield row(columns.map(({ title }) => title));
	for (const process of processes) yield row(columns.map(({ column }) => column.value(process)));
}

/** `ps` (procps): lists the processes of the sandbox, all of them by default. */
export const ps: BuiltIn = async ({ shell, args, out, complain }) => {
	try {
		const request = new Request(args);
		const columns = columnsOf(request);
		const { selections, isDeselected, order } = request;
		const isWanted = (process: ProcessInfo) =>
			selections.length === 0 || selections.some((select) => select(process)) !== isDeselected;
		const processes = sorted(shell.host.context.sync.processes().filter(isWanted), order);
		for (const row of rowsOf(request, columns, processes)) await out(`${row}\n`);
		return processes.length > 0 ? 0 : 1;
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		await complain(
			`error: ${error.message}\n\nUsage:\n ps [options]\n\nTry 'ps -ef', 'ps aux' or 'ps -o pid,ppid,args -p PID'.`
		);
		return 1;
	}
};
