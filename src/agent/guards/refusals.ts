import type { PermissionRequest } from './permission-types.ts';

/**
 * The person (or the mode the session is in) said no. The registry lets this one through:
 * the loop gives the calls left an error result and ends the run with `permission_denied`.
 */
export class PermissionDenied extends Error {
	override readonly name = 'PermissionDenied';

	/** @param message a sentence for the model and the timeline */
	constructor(
		message: string,
		readonly request?: PermissionRequest
	) {
		super(message);
	}
}

/**
 * A guard refuses this call and says what to do instead. It becomes an ordinary error result
 * and the run goes on.
 */
export class GuardRefusal extends Error {
	override readonly name = 'GuardRefusal';

	/** @param guard which rule refused: `read-before-write`, `permission` … */
	constructor(
		readonly guard: string,
		message: string
	) {
		super(message);
	}
}
