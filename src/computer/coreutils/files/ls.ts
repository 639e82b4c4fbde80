import type { WireStat } from '#computer/abi/syscalls.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { quoteWord } from '#computer/shell/expansion/quote.ts';
import { type Options, utility } from '../options.ts';
import { modeText } from './modes.ts';

interface Entry {
	name: string;
	path: string;
	stat: WireStat;
}

const SPECIFICATION =
	'a|all A|almost-all 1 l|format-long h|human-readable R|recursive r|reverse t S X U f d|directory F|classify=? p i|inode s|size ' +
	'm n|numeric-uid-gid g o G|no-group L|dereference H Q|quote-name b C x k q N|literal c u v B Z|context color|colour=? ' +
	'group-directories-first time-style= full-time sort= format= si w|width= T|tabsize= I|ignore= hide= file-type indicator-style= hyperlink=?';

/** `ls`: one name a line, or columns where a terminal looks. */
export const ls = utility(
	SPECIFICATION,
	async (call, options) => {
		const { sync } = call.shell.host.context;
		const operands = options.operands.length ? options.operands : ['.'];
		let status = 0;
		const found: Entry[] = [];
		for (const name of operands) {
			const path = call.shell.path(name);
			const follow =
				options.has('L', 'H') || (!options.has('l', 'd', 'F') && sync.statOrNull(path)?.kind === 'directory');
			const stat = follow || name.endsWith('/') ? sync.statOrNull(path) : lstat(call, path);
			if (stat) found.push({ name, path, stat });
			else {
				await call.complain(`cannot access '${name}': No such file or directory`);
				status = 2;
			}
		}
		const isDirectory = ({ stat }: Entry) => stat.kind === 'directory' && !options.has('d');
		const files = sorted(
			found.filter((entry) => !isDirectory(entry)),
			options
		);
		const directories = sorted(found.filter(isDirectory), options);
		if (files.length) await call.out(await shown(call, files, options));
		let first = files.length === 0;
		const titled = operands.length > 1 || options.has('R');
		const show = async (directory: Entry): Promise<void> => {
			const entries = sorted(entriesOf(call, directory, options), options);
			const head = titled ? `${first ? '' : '\n'}${directory.name}:\n` : '';
			first = false;
			const long = options.has('l', 'n', 'g', 'o', 's');
			const blocks = entries.reduce((sum, { stat }) => sum + blocksOf(stat), 0);
			await call.out(
				`${head}${long ? `total ${options.has('h') ? human(blocks * 1024) : blocks}\n` : ''}${await shown(call, entries, options)}`
			);
			if (!options.has('R')) return;
			for (const entry of entries) {
				if (entry.stat.kind !== 'directory' || entry.name === '.' || entry.name === '..') continue;
				await show({ ...entry, name: `${directory.name.replace(/\/$/, '')}/${entry.name}` });
			}
		};
		for (const directory of directories) await show(directory);
		return status;
	},
	2
);

function lstat(call: Call, path: string): WireStat | null {
	try {
		return call.shell.host.context.sync.lstat(path);
	} catch {
		// Not there, or on the way through a file.
		return null;
	}
}

function entriesOf(call: Call, directory: Entry, options: Options): Entry[] {
	const { sync } = call.shell.host.context;
	const entries: Entry[] = [];
	if (options.has('a', 'f')) {
		const parent = directory.path.replace(/\/[^/]*$/, '') || '/';
		entries.push(
			{ name: '.', path: directory.path, stat: directory.stat },
			{ name: '..', path: parent, stat: sync.stat(parent) }
		);
	}
	for (const { name } of sync.readdir(directory.path)) {
		if (name.startsWith('.') && !options.has('a', 'A', 'f')) continue;
		const path = `${directory.path.replace(/\/$/, '')}/${name}`;
		const stat = (options.has('L') ? sync.statOrNull(path) : null) ?? lstat(call, path);
		if (stat) entries.push({ name, path, stat });
	}
	return entries;
}

const plain = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const extension = (name: string) => /\.[^.]*$/.exec(name)?.[0] ?? '';

function sorted(entries: Entry[], options: Options): Entry[] {
	const how = options.get('sort')?.[0] ?? options.last('t', 'S', 'X', 'U', 'f', 'v') ?? '';
	const list = [...entries];
	if (how !== 'U' && how !== 'f' && how !== 'n') {
		list.sort((a, b) => {
			const first =
				how === 't'
					? b.stat.modifiedMs - a.stat.modifiedMs
					: how === 'S' || how === 's'
						? b.stat.size - a.stat.size
						: how === 'X' || how === 'e'
							? plain(extension(a.name), extension(b.name))
							: how === 'v'
								? a.name.localeCompare(b.name, 'en', { numeric: true })
								: 0;
			return first || plain(a.name, b.name);
		});
	}
	if (options.has('r')) list.reverse();
	if (options.has('group-directories-first'))
		list.sort((a, b) => Number(b.stat.kind === 'directory') - Number(a.stat.kind === 'directory'));
	return list;
}

/** Room on a disk, in KB: whole blocks of four. */
const blocksOf = (stat: WireStat) =>
	stat.kind === 'directory' ? 4 : stat.kind === 'symlink' ? 0 : Math.ceil(stat.size / 4096) * 4;

/** `4.0K`, `12M`. */
export function human(bytes: number): string {
	let value = bytes;
	let unit = '';
	for (const next of 'KMGTP') {
		if (value < 1024) break;
		value /= 1024;
		unit = next;
	}
	if (!unit) return String(value);
	return value < 10 ? `${(Math.ceil(value * 10) / 10).toFixed(1)}${unit}` : `${Math.ceil(value)}${unit}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const HALF_YEAR_MS = 15_778_476_000;

function timeText(ms: number, options: Options): string {
	const date = new Date(ms);
	const two = (value: number) => String(value).padStart(2, '0');
	const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
	const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
	if (options.has('full-time') || options.get('time-style') === 'full-iso')
		return `${day} ${time}:${two(date.getSeconds())}.000000000 +0000`;
	if (options.get('time-style') === 'long-iso') return `${day} ${time}`;
	const style = options.get('time-style');
	if (style?.startsWith('+'))
		return style.slice(1).replace(
			/%(.)/g,
			(_all, letter: string) =>
				({
					Y: String(date.getFullYear()),
					m: two(date.getMonth() + 1),
					d: two(date.getDate()),
					H: two(date.getHours()),
					M: two(date.getMinutes()),
					S: two(date.getSeconds()),
					F: day,
					T: `${time}:${two(date.getSeconds())}`,
					s: String(Math.floor(ms / 1000))
				})[letter] ?? letter
		);
	const recent = Math.abs(Date.now() - ms) < HALF_YEAR_MS;
	return `${MONTHS[date.getMonth()]} ${String(date.getDate()).padStart(2)} ${recent ? time : ` ${date.getFullYear()}`}`;
}

async function shown(call: Call, entries: Entry[], options: Options): Promise<string> {
	const { shell } = call;
	const kernel = shell.descriptors.get(1)?.kernel;
	const terminal = kernel !== undefined && shell.host.context.sync.isTerminal(kernel);
	const coloured = options.has('color')
		? !/^(never|no|none)$/.test(options.get('color') ?? '') && (options.get('color') !== 'auto' || terminal)
		: false;
	const names = entries.map(({ name, stat }) => {
		const text = options.has('Q')
			? `"${name}"`
			: terminal && !options.has('N') && /[^\w./+,:@%-]/.test(name)
				? quoteWord(name)
				: name;
		const mark =
			options.has('F') || options.get('indicator-style') === 'classify'
				? stat.kind === 'directory'
					? '/'
					: stat.kind === 'symlink'
						? options.has('l')
							? ''
							: '@'
						: stat.mode & 0o111
							? '*'
							: ''
				: options.has('p', 'file-type') && stat.kind === 'directory'
					? '/'
					: '';
		const colour =
			stat.kind === 'directory' ? '01;34' : stat.kind === 'symlink' ? '01;36' : stat.mode & 0o111 ? '01;32' : '';
		return (coloured && colour ? `\x1b[0m\x1b[${colour}m${text}\x1b[0m` : text) + mark;
	});
	const prefix = (index: number) => {
		const stat = entries[index]?.stat;
		if (!stat) return '';
		const blocks = options.has('s')
			? `${String(blocksOf(stat)).padStart(Math.max(...entries.map((entry) => String(blocksOf(entry.stat)).length)))} `
			: '';
		return `${options.has('i') ? `${stat.inode} ` : ''}${blocks}`;
	};
	if (options.has('l', 'n', 'g', 'o', 'full-time') || options.get('format') === 'long')
		return long(call, entries, names, prefix, options);
	if (options.has('m')) return names.length ? `${names.join(', ')}\n` : '';
	if (terminal && !options.has('1')) return columns(names, shell.host.context.sync.terminalSize().columns);
	return names.map((name, index) => `${prefix(index)}${name}\n`).join('');
}

function long(
	call: Call,
	entries: Entry[],
	names: string[],
	prefix: (index: number) => string,
	options: Options
): string {
	const user = options.has('n') ? '1000' : 'user';
	const rows = entries.map(({ stat, path }, index) => {
		const size = options.has('h')
			? human(stat.size)
			: options.has('si')
				? String(stat.size)
				: String(stat.kind === 'directory' && stat.size === 0 ? 4096 : stat.size);
		const target = stat.kind === 'symlink' ? ` -> ${call.shell.host.context.sync.readlink(path)}` : '';
		const owner = `${options.has('g') ? '' : ` ${user}`}${options.has('o', 'G') ? '' : ` ${user}`}`;
		return {
			start: `${prefix(index)}${modeText(stat)}`,
			links: String(stat.links),
			owner,
			size,
			end: `${timeText(stat.modifiedMs, options)} ${names[index]}${target}`
		};
	});
	const width = (of: 'links' | 'size') => Math.max(0, ...rows.map((row) => row[of].length));
	const [links, size] = [width('links'), width('size')];
	return rows
		.map((row) => `${row.start} ${row.links.padStart(links)}${row.owner} ${row.size.padStart(size)} ${row.end}\n`)
		.join('');
}

/** Names in columns as wide as the screen, read downwards. */
function columns(names: string[], width: number): string {
	const lengths = names.map((name) => name.replace(/\x1b\[[0-9;]*m/g, '').length);
	for (let rows = 1; rows <= names.length; rows++) {
		const count = Math.ceil(names.length / rows);
		const widths = Array.from(
			{ length: count },
			(_column, column) => Math.max(...lengths.slice(column * rows, (column + 1) * rows)) + 2
		);
		if (widths.reduce((sum, one) => sum + one, -2) > width && rows < names.length) continue;
		const lines = Array.from({ length: rows }, (_row, row) =>
			widths
				.map((columnWidth, column) => {
					const index = column * rows + row;
					const last = index + rows >= names.length;
					return index < names.length
						? names[index] + (last ? '' : ' '.repeat(columnWidth - (lengths[index] ?? 0)))
						: '';
				})
				.join('')
		);
		return lines.map((line) => `${line}\n`).join('');
	}
	return '';
}
