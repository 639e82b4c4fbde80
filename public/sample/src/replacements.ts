import { cyrillic } from './cyrillic.ts';
import { german } from './german.ts';
import { greek } from './greek.ts';
import { latin } from './latin.ts';
import { symbols } from './symbols.ts';

/** A text and what stands for it in a slug. */
export type Replacement = readonly [from: string, to: string];

/** Tried in this order: the first pair that matches a letter decides. */
export const replacements: readonly Replacement[] = [
	...symbols,
	...latin,
	...german,
	...greek,
	...cyrillic
];
