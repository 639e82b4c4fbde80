/** Kinds of failures in Node's events. */
export type FailureType =
	| 'testCodeFailure'
	| 'callbackAndPromisePresent'
	| 'subtestsFailed'
	| 'hookFailed'
	| 'testTimeoutFailure'
	| 'cancelledByParent'
	| 'testAborted';
