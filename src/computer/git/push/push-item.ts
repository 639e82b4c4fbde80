/** State of one reference of a push, in the order in which git numbers them. */
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

/** One reference of the other side, and what a push wants of it. */
export interface PushItem {
	/** Full name there. */
	name: string;
	/** Name or text of what is sent; null where nothing is. */
	from: string | null;
	/** Id there; {@link NULL_ID} for a new reference. */
	before: string;
	/** Id to be there; {@link NULL_ID} deletes. */
	after: string;
	/** A `+` stood before its refspec. */
	isForced: boolean;
	state: PushState;
	/** It moves although it would be refused. */
	isRewind: boolean;
	/** Reason of the other side. */
	reason: string;
}

/** Stands for the source of a reference that is deleted. */
export const DELETED = '(delete)';

/** Tells whether a reference was not changed as it was asked for. */
export const hasFailed = ({ state }: PushItem): boolean => state !== 'none' && state !== 'ok' && state !== 'up to date';
