import { classifyAnswer } from '../classify-error.ts';
import { errorDetails } from '../error-body.ts';
import { type ServerSentEvent, ServerSentEvents } from '../server-sent-events.ts';
import type { OpenWire } from './run.ts';

/**
 * Opens a wire over a response's server-sent events. The SDKs send the request and judge the answer; their readers of
 * events, which cost several times what the rest of a response does, have no part in it.
 * @param read puts one event into the state
 */
export function eventWire(
	provider: string,
	response: Response,
	read: (event: ServerSentEvent) => void
): OpenWire<ServerSentEvent> {
	const body = response.body?.getReader();
	const events = new ServerSentEvents();
	let begun = false;
	let ended = false;
	return {
		async next() {
			if (ended || !body) return null;
			const { done, value } = await body.read();
			if (done) ended = true;
			const arrived = done ? events.end() : events.push(value);
			begun ||= arrived.length > 0;
			if (done && !begun) refuseOtherAnswer(provider, events.stray);
			return arrived;
		},
		read,
		close() {
			// Cancelling a connection that has already failed fails too, and means nothing more.
			if (!ended) body?.cancel().catch(() => undefined);
		}
	};
}

/** Some servers say what is wrong in JSON of their own, with a status that promises events. */
function refuseOtherAnswer(provider: string, body: string): void {
	if (errorDetails(body).message) throw classifyAnswer({ provider, body });
}
