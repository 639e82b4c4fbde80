export type ShareErrorCode =
	| 'damaged'
	| 'wrong_key'
	| 'not_found'
	| 'newer_version'
	| 'too_large'
	| 'no_server'
	| 'server_error'
	| 'offline'
	| 'not_a_session'
	| 'passphrase'
	| 'wrong_passphrase'
	| 'damaged_file'
	| 'file_too_large'
	| 'malformed_tree'
	| 'instructions'
	| 'too_complex';

const SENTENCES: Record<ShareErrorCode, string> = {
	damaged: 'This share link is damaged: a part of it is missing. Copy the whole link again from where you got it.',
	wrong_key: 'The key in this link does not fit the share. Copy the whole link again from where you got it.',
	not_found: 'This share is gone: it has expired or was deleted. Ask its sender for a new link.',
	newer_version: 'This share was made by a newer Sandglass. Reload this page, or open the link where it was made.',
	too_large: 'This session is too large to share. Leave out large files, or export it as a zip.',
	no_server:
		'This site runs without a server, and the session is too large for a link alone. Export it as a file instead.',
	server_error: 'The server could not do it just now. Try again in a minute.',
	not_a_session: 'This is no session of Sandglass. Choose a file that ends in .sandglass.',
	passphrase: 'This session is encrypted. Give the passphrase that it was saved with.',
	wrong_passphrase: 'The passphrase does not fit, or the file is damaged. Check it and try again.',
	damaged_file: 'This file is damaged: a part of it is missing or was changed. Copy it again from where you got it.',
	file_too_large: 'This file is too large to be a session. Choose another one.',
	malformed_tree:
		'The conversation in this share does not hold together: its entries refer to each other in a way that no session of Sandglass writes. It was not opened.',
	instructions:
		'This share carries instructions to the model that its replay would not show. No session of Sandglass does that, so it was not opened.',
	too_complex: 'This share holds more entries than a session of Sandglass can have. It was not opened.',
	offline: 'The server cannot be reached. Check the connection and try again.'
};

/** Why a share could not be created or opened; the message is for users. */
export class ShareError extends Error {
	override readonly name = 'ShareError';
	constructor(
		readonly code: ShareErrorCode,
		/** Underlying cause, for the console. */
		readonly detail?: string
	) {
		super(SENTENCES[code]);
	}
}
