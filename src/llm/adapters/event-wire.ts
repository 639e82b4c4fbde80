import { classifyAnswer } from '../classify-error.ts';
import { errorDetails } from '../error-body.ts';
import { type ServerSentEvent, ServerSentEvents } from '../server-sent-events.ts';
import type { OpenWire } from './run.ts';

/**
 * Reads a response's server-sent events. The SDKs send the request and handle its errors; their event parsers,
 * which cost several times the rest of a response, are not used.
 * @param read applies one event to the state
 */
export function eventWire(
	provider: string,
	response: Response,
	read: (event: ServerSentEvent) => void
): OpenWire<ServerSentEvent> {
	const body = response.body?.getReader();
	const events = new ServerSentEvents();
	let hasStarted = false;
	let ended = false;
	return {
		async next() {
			if (ended || !body) return null;
			const { done, value } = await body.read();
			if (done) ended = true;
			const arrived = done ? events.end() : events.push(value);
			hasStarted ||= arrived.length > 0;
			if (done && !hasStarted) refuseOtherAnswer(provider, events.stray);
			return arrived;
		},
		read,
		close() {
			// Canceling a connection that has already failed also fails, which can be ignored.
			if (!ended) body?.cancel().catch(() => undefined);
		}
	};
}

/** Handles errors that some servers report as plain JSON, with the status of a successful stream. */
function refuseOtherAnswer(provider: string, body: string): void {
	if (errorDetails(body).message) throw classifyAnswer({ provider, body });
}
