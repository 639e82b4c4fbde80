import { getContext, setContext } from 'svelte';
import type { Compacted } from '#agent/compacted.ts';
import type { PermissionDecision } from '#agent/guards/permission-types.ts';
import type { ModelChoice } from '../parts.ts';
import type { ItemOf } from './items.ts';

/** Actions for renderers. Controls of absent actions (in a replay) are left out. */
export interface TimelineActions {
	decide?(requestId: string, decision: PermissionDecision): void;
	isOpen?(requestId: string): boolean;
	answer?(text: string): void;
	goTo?(checkpointId: string): void;
	openFile?(path: string): void;
	/** Shows what changed, beside the conversation. */
	reviewChanges?(): void;
	/** Shows what changed, with the focus in the message of the commit. */
	commit?(): void;
	share?(): void;
	/** Messages dropped by the compaction of the event with that number; `null` if the log no longer has them. */
	compacted?(seq: number): Promise<Compacted | null>;
	openLimits?(): void;
	/** Sends a message again with other words, on a fork of the session that starts before it. */
	resend?: {
		send(item: ItemOf<'user'>, text: string): void;
		/** Read reactively: nothing is sent while the agent works. */
		isPossible(): boolean;
	};
	/** Actions when the conversation no longer fits into the model's context. */
	overflow?: {
		compact(): void;
		startOver(): void;
		/** Read reactively: nothing is done while the agent works. */
		isPossible(): boolean;
	};
	/** Ways on after a run that ended with an error. */
	recovery?: {
		again(): void;
		/** Returns true until the user has written something since. Read reactively. */
		isLatest(item: ItemOf<'end'>): boolean;
		openSettings(): void;
		/** Read reactively: nothing is done while the agent works. */
		isPossible(): boolean;
	};
	/** Switching the model where the present one does not go on. */
	models?: {
		/** Models with a key. Read reactively, like {@link current}. */
		available(): readonly ModelChoice[];
		current(): ModelChoice;
		choose(choice: ModelChoice): void;
		/** Leads to the picker that has all models. */
		showAll(): void;
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
