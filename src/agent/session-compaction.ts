import { compact, shouldCompact, type CompactionOutcome } from './compaction.ts';
import type { CompactedContext, ContextManager, ContextState } from './loop/config.ts';
import type { Session } from './session.ts';
import { estimateTokens } from './token-estimate.ts';
import { ToolRegistry } from './tools/registry.ts';

/** Compaction of a session's conversation. Two never run at once: the second is skipped. */
export class SessionCompaction implements ContextManager {
	#running = false;

	constructor(private readonly session: Session) {}

	beforeRequest(state: ContextState): Promise<CompactedContext | null> {
		return shouldCompact(state.usedTokens, state.windowTokens) ? this.#compact(state.signal) : Promise.resolve(null);
	}

	afterOverflow(state: ContextState): Promise<CompactedContext | null> {
		return this.#compact(state.signal);
	}

	/** Asked for by the person, whatever the size. */
	async now(signal: AbortSignal): Promise<boolean> {
		const { conversation, emitter, meter } = this.session;
		try {
			// Half of what there is, where that is less than is kept otherwise.
			const keepTokens = Math.min(20_000, estimateTokens(conversation.messages) / 2);
			const compacted = await this.#compact(signal, keepTokens);
			if (!compacted) return false;
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

	async #compact(signal: AbortSignal, keepTokens?: number): Promise<CompactedContext | null> {
		const { session } = this;
		if (this.#running) {
			const message = 'A compaction is already running; this one was skipped.';
			session.emitter.emit({ type: 'warning', code: 'compaction_in_progress', message });
			return null;
		}
		this.#running = true;
		try {
			if (!(await session.hooks.gateSessionOp('compact'))) return null;
			const { provider, model, tools } = session.profile;
			const registry = new ToolRegistry(tools);
			const outcome = await compact({
				client: session.client,
				provider,
				model,
				messages: session.conversation.messages,
				previousSummary: session.conversation.summary,
				neutralName: (name) => registry.find(name)?.tool.name ?? name,
				signal,
				...(keepTokens === undefined ? {} : { keepTokens })
			});
			return this.#apply(outcome);
		} finally {
			this.#running = false;
		}
	}

	#apply(outcome: CompactionOutcome): CompactedContext | null {
		if (outcome.kind === 'nothing') return null;
		const { conversation, emitter } = this.session;
		const { beforeTokens, afterTokens } = outcome;
		if (outcome.kind === 'summarized') {
			conversation.compact(outcome.summary, outcome.kept.length, beforeTokens, afterTokens);
			return { messages: conversation.messages, beforeTokens, afterTokens, success: true };
		}
		const message = `No summary could be made (${outcome.reason}); earlier tool outputs were shortened instead.`;
		emitter.emit({ type: 'warning', code: 'compaction_fallback', message });
		conversation.replaceMessages(outcome.messages);
		if (afterTokens >= beforeTokens) return null;
		return { messages: conversation.messages, beforeTokens, afterTokens, success: false };
	}
}
