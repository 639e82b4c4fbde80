import * as z from 'zod/mini';
import { readStored, writeStored } from '../settings/stored.ts';

/** Share of the window that the conversation gets, in percent, as it is chosen with the divider. */
export const WIDTHS = { least: 20, most: 70, standard: 39 } as const;

const KEY = 'sandglass:conversation-width';
const Width = z.number().check(z.gte(WIDTHS.least), z.lte(WIDTHS.most));

/** Rounds a share to what the divider can be set to. */
export const asWidth = (percent: number): number =>
	Math.min(WIDTHS.most, Math.max(WIDTHS.least, Math.round(percent * 10) / 10));

/** The share chosen last on this computer. */
export function chosenWidth(): number {
	return readStored(localStorage, KEY, Width) ?? WIDTHS.standard;
}

/** Keeps a share for later visits; the standard needs no place. */
export function keepWidth(percent: number): void {
	writeStored(localStorage, KEY, percent === WIDTHS.standard ? null : percent);
}
