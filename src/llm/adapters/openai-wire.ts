import { classifyAnswer } from '../classify-error.ts';
import type { ServerSentEvent } from '../server-sent-events.ts';
import { eventWire } from './event-wire.ts';
import type { OpenWire } from './run.ts';

/**
 * Reads the events of either of OpenAI's APIs: JSON up to `[DONE]`; everything after it is ignored. An event
 * with an `error` ends the response.
 */
export function openaiWire<Chunk extends object>(
	provider: string,
	response: Response,
	read: (chunk: Chunk) => void
): OpenWire<ServerSentEvent> {
	let done = false;
	return eventWire(provider, response, ({ data }) => {
		done ||= data.startsWith('[DONE]');
		if (done) return;
		const chunk: Chunk & { error?: unknown } = JSON.parse(data);
		if (chunk?.error) throw classifyAnswer({ provider, body: JSON.stringify({ error: chunk.error }) });
		read(chunk);
	});
}
