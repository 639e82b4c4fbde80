import { fatal } from '../errors.ts';
import { dateOf } from '../history/filter.ts';
import type { FoundSetting } from './config.ts';
import { booleanOf, integerOf } from './values.ts';

export const VALUE_TYPES = ['bool', 'int', 'bool-or-int', 'bool-or-str', 'path', 'expiry-date', 'color'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** Surroundings that values are read in. */
export interface ValueContext {
	home: string | undefined;
	nowMs: number;
	/** Name of the place of a setting, for messages. */
	placeOf: (setting: FoundSetting) => string;
}

/** A value as its type shows it. @throws GitError for one that is not of the type */
export function shownValue(setting: FoundSetting, type: ValueType | null, context: ValueContext): string {
	const { key, value, isBare } = setting;
	const wrong = (kind: string, why = '') =>
		fatal(`bad ${kind} config value '${value}' for '${key}'${why === '' ? '' : context.placeOf(setting) + why}`);
	const boolean = isBare ? true : booleanOf(value);
	switch (type) {
		case null:
			return isBare ? '' : value;
		case 'bool':
			if (boolean === null) throw wrong('boolean');
			return String(boolean);
		case 'bool-or-str':
			return boolean === null || integerOf(value) !== null ? value : String(boolean);
		case 'bool-or-int':
		case 'int': {
			const number = isBare ? null : integerOf(value);
			if (number !== null) return String(number);
			if (type === 'int' || boolean === null) throw wrong('numeric', ': invalid unit');
			return String(boolean);
		}
		case 'path':
			if (isBare)
				throw fatal(
					`missing value for '${key}'\nfatal: bad config variable '${key}'${context.placeOf(setting)} at line ${setting.line}`
				);
			if (!/^~(?:\/|$)/.test(value)) return value;
			if (context.home === undefined) throw fatal(`failed to expand user dir in: '${value}'`);
			return context.home + value.slice(1);
		case 'expiry-date':
			return /^(?:never|false)$/.test(value) ? '0' : String(dateOf(value, context.nowMs));
		case 'color': {
			const color = ansiColor(value);
			if (color === null) throw fatal(`unable to parse default color value\nerror: invalid color value: ${value}`);
			return color;
		}
	}
}

/** A value as its type is stored. @throws GitError for one that is not of the type */
export function storedValue(key: string, value: string, type: ValueType | null): string {
	if (type === 'color' && ansiColor(value) === null) throw fatal(`cannot parse color '${value}'`);
	if (type === null || type === 'path' || type === 'expiry-date' || type === 'color') return value;
	const setting: FoundSetting = { key, value, scope: 'command', path: null };
	return shownValue(setting, type, { home: undefined, nowMs: 0, placeOf: () => '' });
}

const COLORS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white', '', 'default'];
const ATTRIBUTES: Readonly<Record<string, number>> = {
	...{ bold: 1, dim: 2, italic: 3, ul: 4, blink: 5, reverse: 7, strike: 9 },
	...{ nobold: 22, nodim: 22, noitalic: 23, noul: 24, noblink: 25, noreverse: 27, nostrike: 29 }
};

/** Escape sequence of a color as settings name it (`bold red blue`); null for what is none. */
export function ansiColor(text: string): string | null {
	const codes: string[] = [];
	let colors = 0;
	let resets = false;
	for (const word of text.toLowerCase().split(/\s+/).filter(Boolean)) {
		const attribute = ATTRIBUTES[word.replace(/^no-/, 'no')];
		if (word === 'reset') resets = true;
		else if (attribute !== undefined) codes.unshift(String(attribute));
		else {
			const code = colorCode(word, colors === 0 ? 30 : 40);
			if (code === null || ++colors > 2) return null;
			if (code !== '') codes.push(code);
		}
	}
	if (codes.length === 0 && !resets) return '';
	return `\x1b[${resets && codes.length === 0 ? '' : codes.join(';')}m`;
}

/** @param base 30 for the letters, 40 for what is behind them */
function colorCode(word: string, base: number): string | null {
	if (word === 'normal' || word === '-1') return '';
	const bright = word.startsWith('bright');
	const index = COLORS.indexOf(bright ? word.slice('bright'.length) : word);
	if (word !== '' && index >= 0) return String(base + index + (bright ? 60 : 0));
	const rgb = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(word);
	if (rgb) return [base + 8, 2, ...rgb.slice(1).map((part) => Number.parseInt(part, 16))].join(';');
	if (!/^\d{1,3}$/.test(word) || Number(word) > 255) return null;
	const number = Number(word);
	if (number < 8) return String(base + number);
	return number < 16 ? String(base + 60 + number - 8) : `${base + 8};5;${number}`;
}
