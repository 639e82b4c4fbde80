import type { z } from 'zod';
import { generateObject, NoObjectGeneratedError } from '#llm/object.ts';
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

/** A task that yields structured data. */
export interface ObjectQuery<Outcome> extends Query {
	/**
	 * Outcome of the run, requested once it has ended and validated by the schema.
	 *
	 * Rejects with NoObjectGeneratedError if the run was cut off or two attempts yield no valid data, and with a
	 * ProviderError as `complete` does.
	 */
	readonly object: Promise<Outcome>;
}

type QueryOptions = SessionOptions & { prompt: string | ContentPart[] };

/**
 * Runs one task in a session of its own, which is closed afterwards. The environment stays open: it belongs to the
 * caller. For several messages in one conversation use {@link Session}.
 *
 * @param options with `schema`, the outcome is also returned as data
 */
export function query<Schema extends z.ZodObject>(
	options: QueryOptions & { schema: Schema }
): ObjectQuery<z.infer<Schema>>;
export function query(options: QueryOptions): Query;
export function query({ prompt, schema, ...options }: QueryOptions & { schema?: z.ZodObject }): Query {
	const session = new Session(options);
	const run = session.submit(prompt);
	const object = schema && run.result.then((result) => outcomeOf(session, prompt, result, schema));
	const ended = Promise.allSettled([run.result, object]);
	const result = run.result.finally(async () => {
		await ended;
		await session.close();
	});
	return {
		result,
		stop: () => session.stop(),
		[Symbol.asyncIterator]: () => run[Symbol.asyncIterator](),
		...(object ? { object } : {})
	};
}

/** Requests the outcome as data. Sends only the final answer: the calls before it would need their tools. */
async function outcomeOf<Schema extends z.ZodObject>(
	session: Session,
	prompt: string | ContentPart[],
	{ stopReason, text }: AgentResult,
	schema: Schema
): Promise<z.infer<Schema>> {
	if (stopReason !== 'end_turn') throw new NoObjectGeneratedError(text, `the run ended with ${stopReason}.`);
	const { provider, model } = session.profile;
	const task: ContentPart[] = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
	const answer: ContentPart[] = [{ type: 'text', text: text || 'Done.' }];
	const { object } = await generateObject(
		session.client,
		{
			provider,
			model,
			messages: [
				{ role: 'user', content: task },
				{ role: 'assistant', content: answer },
				{ role: 'user', content: [{ type: 'text', text: 'Give the outcome of that as data in the requested form.' }] }
			],
			signal: session.signal
		},
		schema
	);
	return object;
}
