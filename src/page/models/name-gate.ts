import { DialogGate } from '../ui/dialog-gate.svelte.ts';

/** Asks the user for a model's name. */
export const nameGate = new DialogGate<object>();
