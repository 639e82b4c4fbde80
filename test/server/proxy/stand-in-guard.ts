import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Guard } from '#server/outbound/guard.ts';
import type { OutboundRequest } from '#server/outbound/types.ts';

interface Asked extends OutboundRequest {
	/** The complete body. */
	sent: string | undefined;
	alsoAllowed: string | undefined;
}

/** Answers every request in place of a host; `asked` has all requests, `body` is that of the last answer. */
export function standInGuard(answer: { status?: number; headers?: IncomingHttpHeaders; body?: string } = {}) {
	const asked: Asked[] = [];
	const state = { asked, body: Readable.from([]) };
	const guard: Guard = {
		async request(request, alsoAllowed) {
			const { body } = request;
			const sent =
				body instanceof Readable ? String(Buffer.concat(await body.toArray())) : body && String(Buffer.from(body));
			asked.push({ ...request, sent, alsoAllowed });
			state.body = Readable.from([Buffer.from(answer.body ?? 'answered')]);
			return { status: answer.status ?? 200, headers: answer.headers ?? {}, body: state.body, url: request.url };
		},
		close: () => undefined
	};
	return { guard, state };
}
