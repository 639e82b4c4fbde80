import { renderForSummary } from './compaction-text.ts';
import type { ContextMeter } from './context-window.ts';
import { itemsOf, type Conversation } from './conversation.ts';
import type { SessionEmitter } from './session-emitter.ts';
import type { SessionEntry, SessionLog } from './session-log.ts';
import { writeSummary } from './write-summary.ts';
import type { Client, Message } from '#llm/types.ts';

/** Parts of a session needed to summarize a branch. */
interface BranchingSession {
	readonly client: Client;
	readonly profile: { readonly provider: string; readonly model: string };
	readonly signal: AbortSignal;
	readonly log: SessionLog;
	readonly emitter: SessionEmitter;
	readonly conversation: Conversation;
	readonly meter: ContextMeter;
}

/** Limit for the text of a branch, in characters; its end is kept, which is the most informative part. */
const MAX_CHARACTERS = 60_000;

/** Returns the messages of `left` that `target` does not share. */
export function messagesLeftBehind(left: readonly SessionEntry[], target: readonly SessionEntry[]): Message[] {
	const shared = new Set(target.map(({ id }) => id));
	return itemsOf(left.filter(({ id }) => !shared.has(id))).map(({ message }) => message);
}

/**
 * Summarizes in a few lines what was tried on a branch, for the branch that the session moves to (003 §5.1).
 *
 * @throws ProviderError as `complete` does
 */
export function summarizeBranch(
	client: Client,
	model: { provider: string; model: string },
	messages: readonly Message[],
	signal?: AbortSignal
): Promise<string> {
	const text = renderForSummary(messages).slice(-MAX_CHARACTERS);
	const prompt =
		'The user went back to an earlier point; what follows was tried after it and left behind. Tell in at most ' +
		'ten lines what was tried, what came of it, which files it touched and what is worth knowing.\n\n' +
		`<left-behind>\n${text}\n</left-behind>`;
	return writeSummary(client, model, prompt, [], signal);
}

/**
 * Adds a summary of the messages left behind at the session's new position. Never rejects: if the summary
 * fails, the move still counts.
 */
export async function addBranchSummary(
	session: BranchingSession,
	dropped: readonly Message[],
	fromId: string
): Promise<void> {
	try {
		const { client, profile, signal } = session;
		const summary = dropped.length > 0 && (await summarizeBranch(client, profile, dropped, signal));
		if (summary) session.log.append({ type: 'branch_summary', summary, fromId });
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		const message = `What was left behind could not be summarized: ${reason}`;
		session.emitter.emit({ type: 'warning', code: 'branch_summary_failed', message });
	}
	session.conversation.reload();
	session.meter.restart(session.conversation.messages);
}
