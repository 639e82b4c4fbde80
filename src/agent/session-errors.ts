/** Errors of a session's methods: each message is a sentence with a next step. */
export class SessionBusyError extends Error {
	override readonly name = 'SessionBusyError';
	readonly code = 'session_busy';

	constructor(message = 'The session is still working. Steer it, queue a follow-up, or stop it first.') {
		super(message);
	}
}

export class SessionClosedError extends Error {
	override readonly name = 'SessionClosedError';
	readonly code = 'session_closed';

	constructor(message = 'The session has ended. Open it again from its log, or start a new one.') {
		super(message);
	}
}

/** A hook canceled an operation on the session. */
export class SessionOperationCancelled extends Error {
	override readonly name = 'SessionOperationCancelled';
	readonly code = 'operation_cancelled';

	/** @param operation e.g. `fork` */
	constructor(readonly operation: string) {
		super(`A hook cancelled “${operation}”. Change the hook, or leave the session as it is.`);
	}
}

/** A message contains something that the model cannot accept; nothing was sent. */
export class AttachmentRefusedError extends Error {
	override readonly name = 'AttachmentRefusedError';
	readonly code = 'attachment_refused';

	/** @param reason e.g. `this model sees no pictures` */
	constructor(reason: string) {
		super(`The picture cannot be sent: ${reason}. Remove it, or choose another model.`);
	}
}

/** Limits that contradict each other or make no sense (002 F-002, F-005). */
export class ConfigValidationError extends Error {
	override readonly name = 'ConfigValidationError';
	readonly code = 'invalid_config';

	/** @param field the invalid option */
	constructor(
		readonly field: string,
		message: string
	) {
		super(message);
	}
}
