import type { Replacement } from './replacements.ts';

/** German writes an umlaut without its dots as two letters. */
export const german: readonly Replacement[] = [
	['ä', 'ae'],
	['Ä', 'Ae'],
	['ö', 'oe'],
	['Ö', 'Oe'],
	['ü', 'ue'],
	['Ü', 'Ue'],
	['ß', 'ss'],
	['ẞ', 'SS']
];
