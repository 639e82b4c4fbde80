import type { Visited } from './visited.ts';
import { modeText } from './modes.ts';

/** `-printf`. */
export function formatted(format: string, file: Visited, readLink: (path: string) => string): string {
	const { stat } = file;
	const date = new Date(stat.modifiedMs);
	const two = (value: number) => String(value).padStart(2, '0');
	const times: Record<string, () => string> = {
		Y: () => String(date.getFullYear()),
		m: () => two(date.getMonth() + 1),
		d: () => two(date.getDate()),
		H: () => two(date.getHours()),
		M: () => two(date.getMinutes()),
		S: () => `${two(date.getSeconds())}.0000000000`,
		'@': () => `${(stat.modifiedMs / 1000).toFixed(10)}`,
		T: () => `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.0000000000`,
		F: () => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
		'+': () => date.toISOString().slice(0, 19).replace('T', '+')
	};
	const values: Record<string, () => string> = {
		p: () => file.shown,
		P: () => file.relative,
		f: () => file.name,
		h: () => (file.shown.includes('/') ? file.shown.replace(/\/[^/]*$/, '') : '.'),
		H: () => file.start,
		s: () => String(stat.size),
		y: () => ({ file: 'f', directory: 'd', symlink: 'l' })[stat.kind],
		d: () => String(file.depth),
		m: () => (stat.mode & 0o7777).toString(8),
		M: () => modeText(stat),
		n: () => String(stat.links),
		i: () => String(stat.inode),
		u: () => 'user',
		g: () => 'user',
		k: () => String(Math.ceil(stat.size / 1024)),
		l: () => (stat.kind === 'symlink' ? readLink(file.path) : ''),
		t: () => date.toString(),
		'%': () => '%'
	};
	return format.replace(
		/\\([nt0\\])|%[-0-9]*([TAC])(.)|%(-?\d*)(.)/g,
		(whole, escaped?: string, clock?: string, part?: string, width?: string, letter?: string) => {
			if (escaped) return { n: '\n', t: '\t', '0': '\0', '\\': '\\' }[escaped] ?? whole;
			if (clock && part) return times[part]?.() ?? whole;
			const text = values[letter ?? '']?.() ?? whole;
			const columns = Number(width ?? 0);
			return columns < 0 ? text.padEnd(-columns) : text.padStart(columns);
		}
	);
}
