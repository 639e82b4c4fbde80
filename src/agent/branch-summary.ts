import { renderForSummary } from './compaction-text.ts';
import type { ContextMeter } from './context-window.ts';
import { itemsOf, type Conversation } from './conversation.ts';
import type { SessionEmitter } from './session-emitter.ts';
import type { SessionEntry, SessionLog } from './session-log.ts';
import { writeSummary } from './write-summary.ts';
import type { Client, Message } from '#llm/types.ts';

/** What going to another branch needs of a session. */
interface BranchingSession {
	readonly client: Client;
	readonly profile: { readonly provider: string; readonly model: string };
	readonly signal: AbortSignal;
	readonly log: SessionLog;
	readonly emitter: SessionEmitter;
	readonly conversation: Conversation;
	readonly meter: ContextMeter;
}

/** Characters of a left branch the model reads; its end says most. */
const MOST_CHARACTERS = 60_000;

/** What is left behind when one goes from the end of `left` to `target`: the messages they do not share. */
export function leftBehind(left: readonly SessionEntry[], target: readonly SessionEntry[]): Message[] {
	const shared = new Set(target.map(({ id }) => id));
	return itemsOf(left.filter(({ id }) => !shared.has(id))).map(({ message }) => message);
}

/**
 * Tells in a few lines what was tried on a branch, so that the one gone to knows of it (003 §5.1).
 *
 * @throws ProviderError as `complete` does
 */
export function summarizeBranch(
	client: Client,
	model: { provider: string; model: string },
	messages: readonly Message[],
	signal?: AbortSignal
): Promise<string> {
	const text = renderForSummary(messages).slice(-MOST_CHARACTERS);
	const prompt =
		'The person went back to an earlier point; what follows was tried after it and left behind. Tell in at most ' +
		'ten lines what was tried, what came of it, which files it touched and what is worth knowing.\n\n' +
		`<left-behind>\n${text}\n</left-behind>`;
	return writeSummary(client, model, prompt, [], signal);
}

/** Puts a summary of the messages left behind where the session went to. Never rejects: without one it went there too. */
export async function tellBranch(
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
