import type { PermissionRequest } from './permission-types.ts';

/**
 * The user (or the mode of the session) denied a call. Passes through the registry: the loop gives the
 * remaining calls an error result and ends the run with `permission_denied`.
 */
export class PermissionDenied extends Error {
	override readonly name = 'PermissionDenied';

	/** @param message for the model and the timeline */
	constructor(
		message: string,
		readonly request?: PermissionRequest
	) {
		super(message);
	}
}

/**
 * A guard refuses this call and explains what to do instead. It becomes an ordinary error result and the run
 * continues.
 */
export class GuardRefusal extends Error {
	override readonly name = 'GuardRefusal';

	/** @param guard name of the guard: `read-before-write`, `permission` … */
	constructor(
		readonly guard: string,
		message: string
	) {
		super(message);
	}
}
