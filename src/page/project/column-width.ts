import * as z from 'zod/mini';
import { readStored, writeStored } from '../settings/stored.ts';

/** Conversation's share of the window in percent, as set with the divider. */
export const WIDTHS = { least: 20, most: 70, standard: 39 } as const;

const KEY = 'sandglass:conversation-width';
const Width = z.number().check(z.gte(WIDTHS.least), z.lte(WIDTHS.most));

/** Rounds a share to a value that the divider can have. */
export const asWidth = (percent: number): number =>
	Math.min(WIDTHS.most, Math.max(WIDTHS.least, Math.round(percent * 10) / 10));

/** Share that was last chosen on this computer. */
export function chosenWidth(): number {
	return readStored(localStorage, KEY, Width) ?? WIDTHS.standard;
}

/** Stores a share for later visits; the default is not stored. */
export function keepWidth(percent: number): void {
	writeStored(localStorage, KEY, percent === WIDTHS.standard ? null : percent);
}
