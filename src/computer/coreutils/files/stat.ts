import { unescape } from '#computer/shell/builtins/printf.ts';
import { FILE_SYSTEMS, INODES } from '#computer/abi/file-systems.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { isCharacterDevice } from '#computer/abi/special-files.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { type Options, UsageError, utility } from '../options.ts';
import { quoted, QUOTING_STYLES, type QuotingStyle } from '../quoting.ts';
import { strftime } from '../time/strftime.ts';
import { zoneOf, type Zone } from '#computer/local-time/zone.ts';
import { modeText } from './modes.ts';

const BLOCK_BYTES = 4096;
const USER = 1000;
const TIME = '%F %T.%N %z';
const USUAL =
	'  File: %N\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\nDevice: %Hd,%Ld\tInode: %-11i Links: %h\n' +
	'Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\nAccess: %x\nModify: %y\nChange: %z\n Birth: %w';
const NAME_BYTES = 255;
const FILE_SYSTEM =
	'  File: "%n"\n    ID: %-8i Namelen: %-7l Type: %T\nBlock size: %-10s Fundamental block size: %S\n' +
	'Blocks: Total: %-10b Free: %-10f Available: %a\nInodes: Total: %-10c Free: %d';
const FILE_SYSTEM_TERSE = '%n %i %l %t %s %S %b %f %a %c %d';
/** Times of the standard input, which has no inode here. */
const NO_TIMES = { modifiedMs: 0, accessedMs: 0, changedMs: 0 };
const INPUT: WireStat = { ...NO_TIMES, kind: 'file', size: 0, mode: 0o100600, device: 0, inode: 0, links: 1 };
const TERSE = '%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o';

/** `stat`: prints attributes of a file in the format of `-c` or `--printf`. */
export const stat = utility('L|dereference f|file-system c|format= printf= t|terse cached=', async (call, options) => {
	if (options.operands.length === 0) throw new UsageError('missing operand');
	if (options.has('f')) return statFileSystem(call, options);
	const kind = options.last('c', 'printf', 't');
	const given = kind === 'printf' ? unescape(options.get('printf') ?? '', 'format').text : options.get('c');
	const format = kind === undefined ? USUAL : kind === 't' ? TERSE : (given ?? '');
	const end = kind === 'printf' ? '' : '\n';
	const zone = zoneOf(call.shell.variables.exported('TZ'));
	const { sync } = call.shell.host.context;
	const wanted = call.shell.variables.exported('QUOTING_STYLE');
	const style: QuotingStyle = QUOTING_STYLES.find((one) => one === wanted) ?? 'shell-escape-always';
	const quote = (text: string) => quoted(text, style);
	let status = 0;
	for (const name of options.operands) {
		if (name === '-' && call.shell.descriptors.get(0)) {
			await call.out(formatted(format, name, INPUT, null, zone, quote) + end);
			continue;
		}
		// A path with a trailing slash is the directory itself, even through a link.
		const path = call.shell.path(name) + (name.endsWith('/') ? '/' : '');
		const found = lookedAt(call, path, options.has('L'));
		if (typeof found === 'string') {
			await call.complain(`cannot statx '${name}': ${found}`);
			status = 1;
			continue;
		}
		const target = found.kind === 'symlink' ? sync.readlink(path) : null;
		await call.out(formatted(format, name, found, target, zone, quote) + end);
	}
	return status;
});

/** Stat of a file, or the error. */
function lookedAt(call: Call, path: string, follow: boolean): WireStat | string {
	const { sync } = call.shell.host.context;
	try {
		return follow ? sync.stat(path) : sync.lstat(path);
	} catch (error) {
		return reason(error);
	}
}

/** `-f`: shows the file system of a file. */
async function statFileSystem(call: Call, options: Options): Promise<number> {
	const kind = options.last('c', 'printf', 't');
	const given = kind === 'printf' ? unescape(options.get('printf') ?? '', 'format').text : options.get('c');
	const format = kind === undefined ? FILE_SYSTEM : kind === 't' ? FILE_SYSTEM_TERSE : (given ?? '');
	let status = 0;
	for (const name of options.operands) {
		if (name === '-') {
			await call.complain("using '-' to denote standard input does not work in file system mode");
			return 1;
		}
		const found = lookedAt(call, call.shell.path(name), true);
		if (typeof found === 'string') {
			await call.complain(`cannot read file system information for '${name}': ${found}`);
			status = 1;
			continue;
		}
		const system = call.shell.host.context.sync.fileSystems().find(({ device }) => device === found.device);
		if (!system) throw new Error(`no file system has the number ${found.device}`);
		const [total, free] = [system.totalBytes, system.freeBytes].map((bytes) => String(Math.floor(bytes / BLOCK_BYTES)));
		const values: Record<string, string | undefined> = {
			...{ n: name, i: String(system.device), l: String(NAME_BYTES), s: String(BLOCK_BYTES), S: String(BLOCK_BYTES) },
			...{ t: '1021994', T: system.type, b: total, f: free, a: free },
			...{ c: String(INODES), d: String(INODES - system.files), '%': '%' }
		};
		const text = format.replace(/%([-0]?)(\d*)([A-Za-z%])/g, (_whole, flag: string, width: string, letter: string) =>
			flag === '-' ? (values[letter] ?? '?').padEnd(Number(width)) : (values[letter] ?? '?').padStart(Number(width))
		);
		await call.out(text + (kind === 'printf' ? '' : '\n'));
	}
	return status;
}

/** Seconds since 1970 with the number of decimals in the precision: nine after a lone dot. */
function secondsOf(ms: number, flags: string, width: string, precision: string | undefined): string {
	const whole = Math.floor(ms / 1000);
	const digits = precision === undefined ? 0 : precision === '' ? 9 : Number(precision);
	const nanoseconds = String(Math.floor((ms - whole * 1000) * 1e6)).padStart(9, '0');
	const fraction = digits > 0 ? `.${nanoseconds.slice(0, digits).padEnd(digits, '0')}` : '';
	const text = `${flags.includes('+') && whole >= 0 ? '+' : ''}${whole}${fraction}`;
	if (flags.includes('-')) return text.padEnd(Number(width || 0));
	return text.padStart(Number(width || 0), flags.includes('0') ? '0' : ' ');
}

function formatted(
	format: string,
	name: string,
	stat: WireStat,
	target: string | null,
	zone: Zone,
	quote: (text: string) => string
): string {
	const time = (ms: number) => () => strftime(TIME, ms, zone);
	const kinds = {
		file: isCharacterDevice(stat) ? 'character special file' : stat.size === 0 ? 'regular empty file' : 'regular file',
		directory: 'directory',
		symlink: 'symbolic link',
		fifo: 'fifo',
		socket: 'socket'
	};
	const permissions = stat.kind === 'symlink' ? 0o777 : stat.mode & 0o7777;
	const values: Record<string, () => string> = {
		a: () => permissions.toString(8),
		A: () => modeText({ ...stat, mode: (stat.mode & ~0o7777) | permissions }),
		b: () => String(Math.ceil(stat.size / BLOCK_BYTES) * (BLOCK_BYTES / 512)),
		B: () => '512',
		d: () => String(stat.device),
		D: () => stat.device.toString(16),
		Hd: () => '0',
		Ld: () => String(stat.device),
		f: () => stat.mode.toString(16),
		F: () => kinds[stat.kind],
		g: () => String(USER),
		G: () => 'user',
		h: () => String(stat.links),
		i: () => String(stat.inode),
		m: () => FILE_SYSTEMS.find(({ device }) => device === stat.device)?.target ?? '?',
		n: () => name,
		N: () => (target === null ? quote(name) : `${quote(name)} -> ${quote(target)}`),
		o: () => String(BLOCK_BYTES),
		s: () => String(stat.size),
		r: () => '0',
		R: () => '0',
		Hr: () => '0',
		Lr: () => '0',
		t: () => (isCharacterDevice(stat) ? '1' : '0'),
		T: () => (isCharacterDevice(stat) ? '3' : '0'),
		u: () => String(USER),
		U: () => 'user',
		w: () => '-',
		x: time(stat.accessedMs),
		y: time(stat.modifiedMs),
		z: time(stat.changedMs),
		C: () => '?',
		'%': () => '%'
	};
	return format.replace(
		/%([-#0+ ']*)(\d*)(?:\.(\d*))?([HL]?[A-Za-z%])/g,
		(whole, flags: string, width: string, precision: string | undefined, letter: string) => {
			const seconds = { W: 0, X: stat.accessedMs, Y: stat.modifiedMs, Z: stat.changedMs }[letter];
			if (seconds !== undefined) return secondsOf(seconds, flags, width, precision);
			const value = values[letter]?.();
			if (value === undefined) return '?';
			const text = letter === 'a' && flags.includes('#') ? `0${value}` : value.slice(0, Number(precision || Infinity));
			if (flags.includes('-')) return text.padEnd(Number(width || 0));
			return text.padStart(Number(width || 0), flags.includes('0') ? '0' : ' ');
		}
	);
}
