import { unescape } from '#computer/shell/builtins/printf.ts';
import { quoteWord } from '#computer/shell/expansion/quote.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility } from '../options.ts';
import { strftime } from '../time/strftime.ts';
import { zoneOf, type Zone } from '../time/zone.ts';
import { modeText } from './modes.ts';

const BLOCK_BYTES = 4096;
const USER = 1000;
const TIME = '%F %T.%N %z';
const USUAL =
	'  File: %N\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\nDevice: %Hd,%Ld\tInode: %-11i Links: %h\n' +
	'Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\nAccess: %x\nModify: %y\nChange: %z\n Birth: %w';
const TERSE = '%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o';

/** `stat`: what is known of a file, as `-c` or `--printf` want it. Files here have one time, that of their last change. */
export const stat = utility('L|dereference f|file-system c|format= printf= t|terse cached=', async (call, options) => {
	if (options.operands.length === 0) throw new UsageError('missing operand');
	if (options.has('f')) {
		await call.complain('there is one file system here: see df');
		return 1;
	}
	const kind = options.last('c', 'printf', 't');
	const given = kind === 'printf' ? unescape(options.get('printf') ?? '', 'format').text : options.get('c');
	const format = kind === undefined ? USUAL : kind === 't' ? TERSE : (given ?? '');
	const end = kind === 'printf' ? '' : '\n';
	const zone = zoneOf(call.shell.variables.get('TZ'));
	const { sync } = call.shell.host.context;
	let status = 0;
	for (const name of options.operands) {
		const path = call.shell.path(name);
		// What ends in a slash is the directory itself, also through a link.
		const found = lookedAt(call, path, options.has('L') || name.endsWith('/'));
		if (!found) {
			await call.complain(`cannot statx '${name}': No such file or directory`);
			status = 1;
			continue;
		}
		const target = found.kind === 'symlink' ? sync.readlink(path) : null;
		await call.out(formatted(format, name, found, target, zone) + end);
	}
	return status;
});

function lookedAt(call: Call, path: string, follow: boolean): WireStat | null {
	const { sync } = call.shell.host.context;
	if (follow) return sync.statOrNull(path);
	try {
		return sync.lstat(path);
	} catch {
		return null;
	}
}

/** Seconds since 1970 with as many decimals as the precision wants: nine after a lone dot. */
function secondsOf(ms: number, flags: string, width: string, precision: string | undefined): string {
	const whole = Math.floor(ms / 1000);
	const digits = precision === undefined ? 0 : precision === '' ? 9 : Number(precision);
	const nanoseconds = String(Math.floor((ms - whole * 1000) * 1e6)).padStart(9, '0');
	const fraction = digits > 0 ? `.${nanoseconds.slice(0, digits).padEnd(digits, '0')}` : '';
	const text = `${flags.includes('+') && whole >= 0 ? '+' : ''}${whole}${fraction}`;
	if (flags.includes('-')) return text.padEnd(Number(width || 0));
	return text.padStart(Number(width || 0), flags.includes('0') ? '0' : ' ');
}

function formatted(format: string, name: string, stat: WireStat, target: string | null, zone: Zone): string {
	const time = () => strftime(TIME, stat.modifiedMs, zone);
	const kinds = {
		file: stat.size === 0 ? 'regular empty file' : 'regular file',
		directory: 'directory',
		symlink: 'symbolic link'
	};
	const permissions = stat.kind === 'symlink' ? 0o777 : stat.mode & 0o7777;
	const values: Record<string, () => string> = {
		a: () => permissions.toString(8),
		A: () => modeText({ ...stat, mode: permissions }),
		b: () => String(Math.ceil(stat.size / BLOCK_BYTES) * (BLOCK_BYTES / 512)),
		B: () => '512',
		d: () => '1',
		D: () => '1',
		Hd: () => '0',
		Ld: () => '1',
		f: () => stat.mode.toString(16),
		F: () => kinds[stat.kind],
		g: () => String(USER),
		G: () => 'user',
		h: () => String(stat.links),
		i: () => String(stat.inode),
		m: () => '/',
		n: () => name,
		N: () => (target === null ? quoteWord(name, true) : `${quoteWord(name, true)} -> ${quoteWord(target, true)}`),
		o: () => String(BLOCK_BYTES),
		s: () => String(stat.size),
		r: () => '0',
		R: () => '0',
		t: () => '0',
		T: () => '0',
		u: () => String(USER),
		U: () => 'user',
		w: () => '-',
		x: time,
		y: time,
		z: time,
		C: () => '?',
		'%': () => '%'
	};
	return format.replace(
		/%([-#0+ ']*)(\d*)(?:\.(\d*))?([HL]?[A-Za-z%])/g,
		(whole, flags: string, width: string, precision: string | undefined, letter: string) => {
			if (/^[WXYZ]$/.test(letter)) return secondsOf(letter === 'W' ? 0 : stat.modifiedMs, flags, width, precision);
			const value = values[letter]?.();
			if (value === undefined) return '?';
			const text = letter === 'a' && flags.includes('#') ? `0${value}` : value.slice(0, Number(precision || Infinity));
			if (flags.includes('-')) return text.padEnd(Number(width || 0));
			return text.padStart(Number(width || 0), flags.includes('0') ? '0' : ' ');
		}
	);
}
