export type PublishErrorCode =
	| 'publish_no_remote'
	| 'publish_nothing'
	| 'publish_no_branch'
	| 'publish_branch_exists'
	| 'publish_moved'
	| 'publish_no_access'
	| 'publish_protected'
	| 'publish_unreachable'
	| 'publish_rejected'
	| 'publish_name'
	| 'request_no_access'
	| 'request_not_found'
	| 'request_no_difference'
	| 'request_refused';

/** A branch could not be pushed, or a pull request could not be opened for it. `detail` contains the host's message. */
export class PublishError extends Error {
	override readonly name = 'PublishError';
	constructor(
		readonly code: PublishErrorCode,
		readonly detail = ''
	) {
		super(detail === '' ? code : `${code}: ${detail}`);
	}
}
