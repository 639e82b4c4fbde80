/** State of one reference in a push, in git's numbering. */
export const PUSH_STATES = [
	'none',
	'ok',
	'non-fast-forward',
	'already exists',
	'remote does not support deleting refs',
	'fetch first',
	'needs force',
	'stale info',
	'new shallow roots not allowed',
	'remote ref updated since checkout',
	'up to date',
	'refused there',
	'unreported',
	'atomic push failed'
] as const;

export type PushState = (typeof PUSH_STATES)[number];

/** Planned update of one remote reference. */
export interface PushItem {
	/** Full name on the remote. */
	name: string;
	/** Name or text of the source; null if the reference is left alone. */
	from: string | null;
	/** Current id on the remote; {@link NULL_ID} for a new reference. */
	before: string;
	/** New id; {@link NULL_ID} deletes. */
	after: string;
	/** Its refspec begins with `+`. */
	isForced: boolean;
	state: PushState;
	/** The update is made only because it is forced. */
	isRewind: boolean;
	/** Reason given by the remote. */
	reason: string;
}

/** Placeholder for the source of a deleted reference. */
export const DELETED = '(delete)';

/** Returns whether a reference was not updated as requested. */
export const hasFailed = ({ state }: PushItem): boolean => state !== 'none' && state !== 'ok' && state !== 'up to date';
