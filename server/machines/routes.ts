import { z } from 'zod';
import type { ServerApp, ServerContext } from '../context.ts';
import { route } from '../methods.ts';
import { apiHeaders } from '../page/headers.ts';
import { Refusal } from '../refusal.ts';
import { LeasedError, QuotaError, type MachineLeases } from './leases.ts';

const createBody = z.strictObject({ type: z.string().max(100), session: z.string().min(1).max(200) });
const ticketBody = z.strictObject({
	session: z.string().min(1).max(200),
	title: z.string().max(500),
	takeOver: z.boolean().default(false)
});

/**
 * Registers the routes below `/api/machines`. The page names only a type, a machine and its session, never anything of
 * an engine.
 */
export function machineRoutes(app: ServerApp, leases: MachineLeases, limit: (c: ServerContext) => Promise<void>): void {
	route(app, '/api/machines', {
		GET: (c) => c.json({ types: leases.types }, 200, apiHeaders),
		POST: async (c) => {
			await limit(c);
			const { type, session } = await bodyOf(c, createBody);
			const machine = await leases.create(type, { client: c.get('client'), session }).catch((error: unknown) => {
				if (error instanceof QuotaError) throw new Refusal(429, 'machine_quota', error.message);
				throw new Refusal(
					502,
					'machine_failed',
					'The machine could not be created. Its cause is in the log of this server.',
					{},
					error
				);
			});
			if (!machine)
				throw new Refusal(404, 'machine_type_unknown', 'This server has no such machine. Load the page again.');
			return c.json({ id: machine.id, type: machine.type }, 201, apiHeaders);
		}
	});
	route(app, '/api/machines/:id', {
		DELETE: async (c) => {
			await leases.remove(c.req.param('id') ?? '');
			return c.body(null, 204, apiHeaders);
		}
	});
	route(app, '/api/machines/:id/ticket', {
		POST: async (c) => {
			const { session, title, takeOver } = await bodyOf(c, ticketBody);
			const ticket = await leases
				.ticket(c.req.param('id') ?? '', { session, title }, takeOver)
				.catch((error: unknown) => {
					if (error instanceof LeasedError) throw new Refusal(409, 'machine_in_use', error.message);
					throw error;
				});
			if (!ticket) throw new Refusal(404, 'machine_gone', 'This machine no longer exists. Move the session again.');
			return c.json({ ticket }, 201, apiHeaders);
		}
	});
}

async function bodyOf<Schema extends z.ZodType>(c: ServerContext, schema: Schema): Promise<z.output<Schema>> {
	const body: unknown = await c.req.json().catch(() => undefined);
	const parsed = schema.safeParse(body);
	if (!parsed.success)
		throw new Refusal(400, 'body_invalid', 'The body of this request is not valid. Load the page again.');
	return parsed.data;
}
