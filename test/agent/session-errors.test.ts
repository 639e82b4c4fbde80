import { expect, it } from 'vitest';
import {
	AttachmentRefusedError,
	ConfigValidationError,
	SessionBusyError,
	SessionClosedError,
	SessionOperationCancelled
} from '#agent/session-errors.ts';

it.each([
	[
		new SessionBusyError(),
		'SessionBusyError',
		'session_busy',
		'The session is still working. Steer it, queue a follow-up, or stop it first.'
	],
	[
		new SessionClosedError(),
		'SessionClosedError',
		'session_closed',
		'The session has ended. Open it again from its log, or start a new one.'
	],
	[
		new SessionOperationCancelled('fork'),
		'SessionOperationCancelled',
		'operation_cancelled',
		'A hook cancelled “fork”. Change the hook, or leave the session as it is.'
	],
	[
		new AttachmentRefusedError('this model sees no pictures'),
		'AttachmentRefusedError',
		'attachment_refused',
		'The picture cannot be sent: this model sees no pictures. Remove it, or choose another model.'
	],
	[new ConfigValidationError('maxTurns', 'No.'), 'ConfigValidationError', 'invalid_config', 'No.']
])('a host knows %s by its name and code, and a user what to do', (error, name, code, message) => {
	expect(error).toMatchObject({ name, code, message });
});
