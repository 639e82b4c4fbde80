import { inject } from 'vitest';

declare module 'vitest' {
	export interface ProvidedContext {
		soak: { seed: number; size: number };
	}
}

/**
 * Part of a large count to run, and its seed.
 *
 * @param full the required count; `npm run soak` runs it, or `SOAK_SIZE` of it
 * @returns `seed`, which a failure must print
 */
export function soak(full: number): { seed: number; size: number } {
	const { seed, size } = inject('soak');
	return { seed, size: size > 0 ? size : full };
}
