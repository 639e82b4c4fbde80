import type { Replacement } from './replacements.ts';

/** Signs that are read as words. */
export const symbols: readonly Replacement[] = [
	['&', ' and '],
	['%', ' percent '],
	['€', ' euro '],
	['£', ' pound '],
	['$', ' dollar '],
	['♥', ' love ']
];
