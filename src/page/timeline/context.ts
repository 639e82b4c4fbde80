import { getContext, setContext } from 'svelte';
import type { Compacted } from '#agent/compacted.ts';
import type { PermissionDecision } from '#agent/guards/permission-types.ts';
import type { ItemOf } from './items.ts';

/** What renderers may do. Absent actions (a replay) leave their controls out. */
export interface TimelineActions {
	decide?(requestId: string, decision: PermissionDecision): void;
	isOpen?(requestId: string): boolean;
	answer?(text: string): void;
	goTo?(checkpointId: string): void;
	openFile?(path: string): void;
	/** Shows what changed, beside the conversation. */
	reviewChanges?(): void;
	/** What the compaction told by the event with that number dropped; `null` where the log has it no more. */
	compacted?(seq: number): Promise<Compacted | null>;
	openLimits?(): void;
	/** Sends a message anew with other words, on a fork of the session that begins before it. */
	resend?: {
		send(item: ItemOf<'user'>, text: string): void;
		/** Read reactively: nothing is sent while the agent works. */
		isPossible(): boolean;
	};
	/** What can be done where the conversation no longer fits into the model's context. */
	overflow?: {
		compact(): void;
		chooseModel(): void;
		startOver(): void;
		/** Read reactively: nothing is done while the agent works. */
		isPossible(): boolean;
	};
	/** Inside a helper's own timeline, whose events have no address. */
	isNested?: boolean;
	/** A stranger's session: texts are shown with what drawing them would hide. */
	isReplay?: boolean;
}

const KEY = Symbol('timeline');

export function setTimelineActions(actions: TimelineActions): void {
	setContext(KEY, actions);
}

export function timelineActions(): TimelineActions {
	return getContext<TimelineActions | undefined>(KEY) ?? {};
}
