import type { ContentPart } from '#llm/types.ts';
import type { SessionOptions } from './api.ts';
import type { AgentResult, SessionEvent } from './events.ts';
import { Session } from './session.ts';

/** One task for an agent. Iterating yields the events; `result` never rejects. */
export interface Query extends AsyncIterable<SessionEvent> {
	readonly result: Promise<AgentResult>;
	/** Stops the run; `result` then has the stop reason `aborted`. */
	stop(): Promise<void>;
}

/**
 * Runs one task in a session of its own, which is closed afterwards. The environment stays open: it belongs to the
 * caller. For several messages in one conversation use {@link Session}.
 */
export function query({ prompt, ...options }: SessionOptions & { prompt: string | ContentPart[] }): Query {
	const session = new Session(options);
	const run = session.submit(prompt);
	const result = run.result.finally(() => session.close());
	return {
		result,
		stop: () => session.stop(),
		[Symbol.asyncIterator]: () => run[Symbol.asyncIterator]()
	};
}
