import type { ServerContext } from './context.ts';
import type { Log } from './log.ts';
import { apiHeaders } from './page/headers.ts';
import { Refusal } from './refusal.ts';

/** Answers a failed request: a refusal with its message, any other error without details, which are only logged. */
export function errorResponse(error: Error, c: ServerContext, log: Log): Response {
	const refusal = refusalOf(error, c);
	const id = c.get('requestId');
	const time = new Date().toISOString();
	if (refusal.status === 500) log({ time, id, error: error.name, stack: error.stack });
	else if (refusal.cause !== undefined) log({ time, id, error: refusal.code, cause: String(refusal.cause) });
	c.set('log', { ...c.get('log'), refused: refusal.code });
	return Response.json(
		{ error: { type: refusal.code, message: refusal.message } },
		{
			status: refusal.status,
			headers: { ...apiHeaders, ...refusal.headers, 'x-request-id': id, 'X-Sandglass-Error': refusal.code }
		}
	);
}

function refusalOf(error: Error, c: ServerContext): Refusal {
	if (error instanceof Refusal) return error;
	if (c.env.outgoing.destroyed)
		return new Refusal(400, 'caller_gone', 'The client disconnected before the response was complete.');
	return new Refusal(500, 'internal', 'Something went wrong in this server. See its log for the cause.');
}
