import type { SyncSyscalls } from '#computer/abi/client.ts';
import { isCharacterDevice } from '#computer/abi/special-files.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import { C_ESCAPES } from '../c-escapes.ts';
import type { Visited } from './visited.ts';
import { modeText } from './modes.ts';

const ESCAPES: Record<string, string | undefined> = { ...C_ESCAPES, '\\': '\\' };
const KINDS = { file: 'f', directory: 'd', symlink: 'l', fifo: 'p', socket: 's' };

/** Letter of a file's type, as for `-type`. */
export const typeLetter = (stat: Pick<WireStat, 'kind' | 'mode'>): string =>
	isCharacterDevice(stat) ? 'c' : KINDS[stat.kind];

/** Escapes in a format that are unknown to `-printf`. */
export const unknownEscapes = (format: string): string[] =>
	[...format.matchAll(/\\([\s\S])/g)].flatMap(([whole, letter = '']) =>
		letter in ESCAPES || /[0-7c]/.test(letter) ? [] : [whole]
	);

/** Formats a part of a time, by the letter after `%T`, `%A` or `%C`. */
function partOfTime(ms: number, letter: string): string | undefined {
	const date = new Date(ms);
	const two = (value: number) => String(value).padStart(2, '0');
	const times: Record<string, () => string> = {
		Y: () => String(date.getFullYear()),
		m: () => two(date.getMonth() + 1),
		d: () => two(date.getDate()),
		H: () => two(date.getHours()),
		M: () => two(date.getMinutes()),
		S: () => `${two(date.getSeconds())}.0000000000`,
		'@': () => `${(ms / 1000).toFixed(10)}`,
		T: () => `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.0000000000`,
		F: () => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
		'+': () => date.toISOString().slice(0, 19).replace('T', '+')
	};
	return times[letter]?.();
}

/** Fills in the format of `-printf`, up to a `\\c` in it. */
export function formatted(format: string, file: Visited, sync: Pick<SyncSyscalls, 'readlink' | 'statOrNull'>): string {
	const { stat } = file;
	const values: Record<string, () => string> = {
		p: () => file.shown,
		P: () => file.relative,
		f: () => file.name,
		h: () => (file.shown.includes('/') ? file.shown.replace(/\/[^/]*$/, '') : '.'),
		H: () => file.start,
		s: () => String(stat.size),
		y: () => typeLetter(stat),
		Y: () => {
			const target = sync.statOrNull(file.path);
			return target ? typeLetter(target) : 'N';
		},
		d: () => String(file.depth),
		m: () => (stat.mode & 0o7777).toString(8),
		M: () => modeText(stat),
		n: () => String(stat.links),
		i: () => String(stat.inode),
		u: () => 'user',
		g: () => 'user',
		k: () => String(Math.ceil(stat.size / 1024)),
		l: () => (stat.kind === 'symlink' ? sync.readlink(file.path) : ''),
		t: () => new Date(stat.modifiedMs).toString(),
		'%': () => '%'
	};
	const [shown = ''] = format.split(/(?<!\\)(?:\\\\)*\\c/);
	return shown.replace(
		/\\([0-7]{1,3}|[\s\S])|%[-0-9]*([TAC])(.)|%([-0]*\d*)(.)/g,
		(whole, escaped?: string, clock?: string, part?: string, width = '', letter = '') => {
			if (escaped)
				return /^[0-7]/.test(escaped) ? String.fromCharCode(parseInt(escaped, 8)) : (ESCAPES[escaped] ?? whole);
			if (clock && part)
				return (
					partOfTime(clock === 'A' ? stat.accessedMs : clock === 'C' ? stat.changedMs : stat.modifiedMs, part) ?? whole
				);
			const text = values[letter]?.() ?? whole;
			const columns = Number(width.replace(/^[-0]+/, ''));
			if (width.startsWith('-')) return text.padEnd(columns);
			return text.padStart(columns, width.startsWith('0') && /[0-9]/.test(text) ? '0' : ' ');
		}
	);
}
