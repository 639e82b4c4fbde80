import { ansiColor } from './ansi-color.ts';
import { fatal } from '../errors.ts';
import { dateOf } from '../history/filter.ts';
import type { FoundSetting } from './config.ts';
import { booleanOf, integerOf } from './values.ts';

export const VALUE_TYPES = ['bool', 'int', 'bool-or-int', 'bool-or-str', 'path', 'expiry-date', 'color'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** Context needed to interpret values. */
export interface ValueContext {
	home: string | undefined;
	nowMs: number;
	/** Describes the origin of a setting, for messages. */
	placeOf: (setting: FoundSetting) => string;
}

/** Formats a value by its type. @throws GitError if it is not of that type */
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

/** Value as written to the file for its type. @throws GitError if it is not of that type */
export function storedValue(key: string, value: string, type: ValueType | null): string {
	if (type === 'color' && ansiColor(value) === null) throw fatal(`cannot parse color '${value}'`);
	if (type === null || type === 'path' || type === 'expiry-date' || type === 'color') return value;
	const setting: FoundSetting = { key, value, scope: 'command', path: null };
	return shownValue(setting, type, { home: undefined, nowMs: 0, placeOf: () => '' });
}
