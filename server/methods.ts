import type { ServerApp, ServerContext } from './context.ts';
import { Refusal } from './refusal.ts';

type Handler = (c: ServerContext) => Response | Promise<Response>;

/** Registers one path with its methods; any other method is answered 405 with the list. */
export function route(app: ServerApp, path: string, handlers: Readonly<Record<string, Handler>>): void {
	const allowed = Object.keys(handlers).join(', ');
	app.all(path, (c) => {
		const handler = handlers[c.req.method];
		if (handler) return handler(c);
		throw new Refusal(
			405,
			'method_not_allowed',
			`${c.req.method} is not allowed here; this address accepts ${allowed}.`,
			{
				Allow: allowed
			}
		);
	});
}
