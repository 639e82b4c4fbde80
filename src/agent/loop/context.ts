import type { TurnSettings } from './config.ts';
import type { RunState } from './run-state.ts';

/**
 * Lets the context manager compact the conversation before a request, or after a request was too long. If the manager
 * throws, nothing changes. Returns true if the messages were replaced.
 */
export async function makeRoom(
	run: RunState,
	settings: TurnSettings,
	why: 'before_request' | 'overflow'
): Promise<boolean> {
	const manager = run.config.contextManager;
	if (!manager) return false;
	const state = {
		messages: run.messages,
		usedTokens: run.meter.usedTokens,
		windowTokens: settings.contextWindowTokens ?? 0,
		signal: run.signal
	};
	try {
		const compacted = why === 'overflow' ? await manager.afterOverflow(state) : await manager.beforeRequest(state);
		if (!compacted) return false;
		run.messages = [...compacted.messages];
		run.meter.restart(run.messages);
		const { beforeTokens, afterTokens, success } = compacted;
		run.emit({ type: 'context_compact', beforeTokens, afterTokens, success });
		return true;
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		run.emit({
			type: 'warning',
			code: 'compaction_failed',
			message: `The conversation could not be compacted: ${reason}`
		});
		return false;
	}
}

/** Warns once when usage exceeds 80 % of the window (000 §5.5). */
export function warnWhenNearlyFull(run: RunState, settings: TurnSettings): void {
	const percent = run.meter.passedWarning(settings.contextWindowTokens ?? 0);
	if (percent === null) return;
	const message = `Context usage at ~${percent}% of context window. Compact the conversation or start a new session.`;
	run.emit({ type: 'warning', code: 'context_usage', message });
}
