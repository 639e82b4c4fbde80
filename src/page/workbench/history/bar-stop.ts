import type { StopKind } from './stops.ts';

/** A stop on the history line, at a value of its slider. */
export interface BarStop {
	kind: StopKind;
	name: string;
	at: number;
}
