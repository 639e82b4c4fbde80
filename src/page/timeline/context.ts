import { getContext, setContext } from 'svelte';
import type { Compacted } from '#agent/compacted.ts';
import type { PermissionDecision } from '#agent/guards/permission-types.ts';
import type { ModelChoice } from '../parts.ts';
import type { ItemOf } from './items.ts';

/** Actions for renderers. Controls of absent actions (in a replay) are not shown. */
export interface TimelineActions {
	decide?(requestId: string, decision: PermissionDecision): void;
	isOpen?(requestId: string): boolean;
	answer?(text: string): void;
	goTo?(checkpointId: string): void;
	openFile?(path: string): void;
	/** Shows the changes beside the conversation. */
	reviewChanges?(): void;
	/** Shows the changes, with the focus on the commit message. */
	commit?(): void;
	share?(): void;
	/** Messages removed by the compaction of the event with that number; `null` if the log no longer has them. */
	compacted?(seq: number): Promise<Compacted | null>;
	openLimits?(): void;
	/** Sends an edited message again, on a fork of the session that starts before it. */
	resend?: {
		send(item: ItemOf<'user'>, text: string): void;
		/** Read reactively: false while the agent works. */
		isPossible(): boolean;
	};
	/** Actions if the conversation no longer fits into the model's context. */
	overflow?: {
		compact(): void;
		startOver(): void;
		/** Read reactively: false while the agent works. */
		isPossible(): boolean;
	};
	/** Actions after a run that ended with an error. */
	recovery?: {
		again(): void;
		/** Returns true until the user has sent something after it. Read reactively. */
		isLatest(item: ItemOf<'end'>): boolean;
		openSettings(): void;
		/** Read reactively: false while the agent works. */
		isPossible(): boolean;
	};
	/** Lets the user switch the model if the current one cannot continue. */
	models?: {
		/** Models with a key. Read reactively, like {@link current}. */
		available(): readonly ModelChoice[];
		current(): ModelChoice;
		choose(choice: ModelChoice): void;
		/** Opens the picker that lists all models. */
		showAll(): void;
	};
	/** True inside a subagent's own timeline, whose events have no URL. */
	isNested?: boolean;
	/** True for a session from someone else: texts are also shown verbatim if rendering would hide words. */
	isReplay?: boolean;
}

const KEY = Symbol('timeline');

export function setTimelineActions(actions: TimelineActions): void {
	setContext(KEY, actions);
}

export function timelineActions(): TimelineActions {
	return getContext<TimelineActions | undefined>(KEY) ?? {};
}
