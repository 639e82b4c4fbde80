import {
	compact,
	KEEP_RECENT_TOKENS,
	shouldCompact,
	type CompactionOutcome,
	type CompactionRequest
} from './compaction.ts';
import type { CompactedContext, ContextManager, ContextState } from './loop/config.ts';
import type { Client } from '#llm/types.ts';
import type { ContextMeter } from './context-window.ts';
import type { Conversation } from './conversation.ts';
import type { HookRunner } from './hooks.ts';
import type { Profile } from './profile.ts';
import type { SessionEmitter } from './session-emitter.ts';
import type { SessionLog } from './session-log.ts';
import { reasonWithoutImages, type ImagePolicy } from './image-policy.ts';
import { estimateTokens } from './token-estimate.ts';
import { ToolRegistry } from './tools/registry.ts';
import type { WorkInHand } from './work-in-hand.ts';

/** Parts of a session needed for compaction. */
interface CompactedSession {
	readonly client: Client;
	readonly profile: Profile;
	readonly images: ImagePolicy;
	readonly hooks: HookRunner;
	readonly log: SessionLog;
	readonly emitter: SessionEmitter;
	readonly conversation: Conversation;
	readonly meter: ContextMeter;
}

/** Compacts a session's conversation. Two compactions never run at once: the second is skipped. */
export class SessionCompaction implements ContextManager {
	#running = false;

	/** @param work the state added at the end of a summary, read when the summary is made */
	constructor(
		private readonly session: CompactedSession,
		private readonly work: () => WorkInHand
	) {}

	async beforeRequest({ usedTokens, windowTokens, signal }: ContextState): Promise<CompactedContext | null> {
		if (!shouldCompact(usedTokens, windowTokens)) return null;
		return this.#compact(signal, { keepTokens: tokensToKeep(windowTokens) });
	}

	/** The provider counts more tokens than the estimate, so at most half of the conversation is kept. */
	async afterOverflow({ messages, windowTokens, signal }: ContextState): Promise<CompactedContext | null> {
		const keepTokens = Math.min(tokensToKeep(windowTokens), estimateTokens(messages) / 2);
		return this.#compact(signal, { keepTokens, isOverflow: true });
	}

	/** Compacts at the user's request, regardless of size. */
	async now(signal: AbortSignal): Promise<boolean> {
		const { conversation, emitter, meter } = this.session;
		try {
			// Half of the conversation if that is less than the usual amount.
			const keepTokens = Math.min(KEEP_RECENT_TOKENS, estimateTokens(conversation.messages) / 2);
			const compacted = await this.#compact(signal, { keepTokens });
			if (!compacted) {
				const message = 'There was nothing to sum up: the messages are few, or were left as they are.';
				emitter.emit({ type: 'warning', code: 'nothing_compacted', message });
				return false;
			}
			meter.restart(compacted.messages);
			const { beforeTokens, afterTokens, success } = compacted;
			emitter.emit({ type: 'context_compact', beforeTokens, afterTokens, success });
			return success;
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			const message = `The conversation could not be compacted: ${reason}`;
			if (!signal.aborted) emitter.emit({ type: 'warning', code: 'compaction_failed', message });
			return false;
		}
	}

	async #compact(
		signal: AbortSignal,
		size: Pick<CompactionRequest, 'keepTokens' | 'isOverflow'>
	): Promise<CompactedContext | null> {
		const { session } = this;
		if (this.#running) {
			const message = 'A compaction is already running; this one was skipped.';
			session.emitter.emit({ type: 'warning', code: 'compaction_in_progress', message });
			return null;
		}
		this.#running = true;
		try {
			if (!(await session.hooks.gateSessionOp('compact'))) return null;
			const { provider, model, tools, supportsImages } = session.profile;
			const registry = new ToolRegistry(tools);
			const outcome = await compact({
				client: session.client,
				provider,
				model,
				messages: session.conversation.messages,
				notices: session.conversation.notices,
				previousSummary: session.conversation.summary,
				changedFiles: this.#changedFiles(),
				work: this.work(),
				sendPictures: reasonWithoutImages(session.images, supportsImages) === null,
				neutralName: (name) => registry.find(name)?.tool.name ?? name,
				signal,
				...size
			});
			return this.#apply(outcome);
		} finally {
			this.#running = false;
		}
	}

	/** Files changed by any tool or command; the user's changes are reported to the model separately. */
	#changedFiles(): string[] {
		return this.session.log.branch().flatMap((entry) => {
			if (entry.type !== 'event' || entry.event.type !== 'file_change') return [];
			return entry.event.by === 'user' ? [] : [entry.event.path];
		});
	}

	#apply(outcome: CompactionOutcome): CompactedContext | null {
		if (outcome.kind === 'nothing') return null;
		const { conversation, emitter } = this.session;
		const { beforeTokens, afterTokens } = outcome;
		if (outcome.kind === 'summarized') {
			conversation.compact(outcome.summary, outcome.kept.length, beforeTokens, afterTokens);
			conversation.replaceMessages(outcome.messages);
			return { messages: conversation.messages, beforeTokens, afterTokens, success: true };
		}
		const isShorter = afterTokens < beforeTokens;
		const instead = isShorter
			? '; earlier tool outputs were shortened instead.'
			: ', and no tool output could be shortened.';
		const message = `No summary could be made (${outcome.reason})${instead}`;
		emitter.emit({ type: 'warning', code: 'compaction_fallback', message });
		if (!isShorter) return null;
		conversation.replaceMessages(outcome.messages);
		return { messages: conversation.messages, beforeTokens, afterTokens, success: false };
	}
}

/** Number of recent tokens to keep; the usual number alone would fill a small window. */
function tokensToKeep(windowTokens: number): number {
	return windowTokens > 0 ? Math.min(KEEP_RECENT_TOKENS, windowTokens / 4) : KEEP_RECENT_TOKENS;
}
