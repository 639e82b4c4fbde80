import type { StopKind } from './stops.ts';

/** A stop on the line of history, at a value of its slider. */
export interface BarStop {
	kind: StopKind;
	name: string;
	at: number;
}
