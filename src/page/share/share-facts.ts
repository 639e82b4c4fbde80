import type { SessionEvent } from '#agent/events.ts';
import { textOf } from '../project/message-text.ts';
import { Fold } from '../timeline/fold.ts';
import type { Item } from '../timeline/items.ts';
import { Meters } from '../timeline/meters.ts';
import { taskFacts, type TaskFacts } from '../timeline/task-facts.ts';

/** Facts that a visitor first sees about a shared session. All come from the share itself. */
export interface ShareFacts {
	/** First message. */
	task: string;
	/** First paragraph of the last answer. */
	answer: string;
	facts: TaskFacts;
	/** Milliseconds that the agent worked. */
	durationMs: number;
	/** Model that worked last; empty if none did. */
	model: string;
	/** US dollars; `null` if no answer had a price. */
	costUsd: number | null;
	added: number;
	removed: number;
	items: readonly Item[];
	/** True if text that only the conversation shows reaches the model. */
	hasUnshown: boolean;
}

/** Summarizes a shared session. */
export function shareFacts(events: readonly SessionEvent[]): ShareFacts {
	const fold = new Fold();
	let meters = new Meters();
	let model = '';
	for (const event of events) {
		fold.push(event);
		meters = meters.take(event);
		if (event.type === 'agent_start') ({ model } = event);
	}
	const { items } = fold;
	const asked = items.find((item) => item.kind === 'user');
	const said = items.findLast((item) => item.kind === 'text');
	const ends = items.flatMap((item) => (item.kind === 'end' ? [item] : []));
	const files = ends.flatMap((end) => end.files);
	return {
		task: asked?.kind === 'user' ? textOf(asked.content) : '',
		answer: said?.kind === 'text' ? (said.text.trim().split(/\n\s*\n/, 1)[0] ?? '') : '',
		facts: taskFacts({ items }),
		durationMs: ends.reduce((sum, end) => sum + end.durationMs, 0),
		model,
		costUsd: meters.priced ? meters.costUsd : null,
		added: files.reduce((sum, file) => sum + file.added, 0),
		removed: files.reduce((sum, file) => sum + file.removed, 0),
		items: items.slice(),
		hasUnshown: items.some((item) => item.kind === 'unshown')
	};
}
