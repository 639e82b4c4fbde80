import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';

/** Fields that handlers add to the log line of their request; never a query, a body or a secret. */
export interface LogFields {
	provider?: string;
	/** The provider's id for the request. */
	providerRequest?: string;
	/** Upstream host, `name:port`. */
	to?: string;
	/** Code of the refusal. */
	refused?: string;
}

export interface ServerEnvironment {
	Bindings: HttpBindings;
	Variables: { log: LogFields; requestId: string; /** Client that limits apply to. */ client: string };
}

export type ServerContext = Context<ServerEnvironment>;
export type ServerApp = Hono<ServerEnvironment>;

/** Aborts when the caller disconnects before its response is complete. */
export function callerGone(c: ServerContext): AbortSignal {
	const controller = new AbortController();
	const { outgoing } = c.env;
	outgoing.once('close', () => {
		if (!outgoing.writableFinished) controller.abort();
	});
	if (outgoing.destroyed && !outgoing.writableFinished) controller.abort();
	return controller.signal;
}
