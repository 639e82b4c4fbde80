import { quoted } from '../../quoting.ts';
import type { Entry } from './entry.ts';
import type { Settings } from './settings.ts';

/** Quotes a name, with `?` for control characters on a terminal. */
export function shownName(name: string, { quoting, hidesControls }: Settings, special = ''): string {
	const shown = quoted(name, quoting, special);
	const isRaw = quoting === 'literal' || quoting === 'shell' || quoting === 'shell-always';
	return hidesControls && isRaw ? shown.replace(/[\0-\x1f\x7f-\x9f]/g, '?') : shown;
}

/** Number of columns of a text. */
export function widthOf(text: string): number {
	let width = 0;
	for (const one of text.replace(/\p{M}/gu, ''))
		width +=
			/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u.test(
				one
			)
				? 2
				: 1;
	return width;
}

const ADDRESS = /[A-Za-z0-9\-._~]/;

/** URL of a file, for hyperlinks in terminals. */
function address(path: string): string {
	const bytes = new TextEncoder().encode(path);
	const parts = [...bytes].map((byte) => {
		const one = String.fromCharCode(byte);
		return byte < 128 && (one === '/' || ADDRESS.test(one)) ? one : `%${byte.toString(16).padStart(2, '0')}`;
	});
	return `file://sandglass${parts.join('')}`;
}

/** Wraps a displayed name in a hyperlink; quotes added only for alignment stay outside. */
export function linked(shown: string, path: string, hasOuterQuotes: boolean): string {
	const [before, inner, after] = hasOuterQuotes
		? [shown[0] ?? '', shown.slice(1, -1), shown.at(-1) ?? '']
		: ['', shown, ''];
	return `${before}\x1b]8;;${address(path)}\x07${inner}\x1b]8;;\x07${after}`;
}

/** Suffix that marks a file's kind. */
export function markOf(stat: Entry['stat'] | null, { marks }: Settings): string {
	if (marks === 'none' || !stat) return '';
	if (stat.kind === 'directory') return '/';
	if (marks === 'slash') return '';
	if (stat.kind === 'symlink') return '@';
	if (stat.kind === 'fifo') return '|';
	if (stat.kind === 'socket') return '=';
	return marks === 'classify' && stat.mode & 0o111 ? '*' : '';
}
