import * as z from 'zod/mini';
import { t } from '../strings/index.ts';
import { isFinalCode, MachineError } from './machine-error.ts';

const Created = z.object({ id: z.string().check(z.minLength(1), z.maxLength(200)) });
const Ticket = z.object({ ticket: z.string().check(z.regex(/^[\w-]{20,100}$/)) });
const Refusal = z.object({
	error: z.object({ type: z.string(), message: z.string().check(z.maxLength(2_000)) })
});

/** Session that uses a machine; its title is shown to another session that wants the same machine. */
export interface Tenant {
	session: string;
	title: string;
}

/** Creates a machine for a session, and removes its previous one. @throws MachineError */
export async function createMachine(type: string, session: string): Promise<string> {
	return (await send('/api/machines', { type, session }, Created)).id;
}

/**
 * Obtains the secret for opening one connection.
 * @param takeOver disconnects another session that uses the machine
 * @throws MachineError
 */
export async function requestTicket(machine: string, tenant: Tenant, takeOver: boolean): Promise<string> {
	const title = tenant.title.slice(0, 500);
	const body = { session: tenant.session, title, takeOver };
	return (await send(`/api/machines/${encodeURIComponent(machine)}/ticket`, body, Ticket)).ticket;
}

/** Removes a machine; does nothing if it is already gone. @throws MachineError */
export async function removeMachine(machine: string): Promise<void> {
	await request(`/api/machines/${encodeURIComponent(machine)}`, { method: 'DELETE' });
}

async function send<Schema extends z.ZodMiniType>(
	url: string,
	body: unknown,
	schema: Schema
): Promise<z.infer<Schema>> {
	const response = await request(url, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(body)
	});
	const parsed = z.safeParse(schema, await response.json().catch(() => null));
	if (!parsed.success) throw new MachineError('unreadable', t.machines.unreadable, false);
	return parsed.data;
}

async function request(url: string, init: RequestInit): Promise<Response> {
	const response = await fetch(url, init).catch(() => null);
	if (!response) throw new MachineError('unreachable', t.machines.unreachable, false);
	if (response.ok) return response;
	const refusal = z.safeParse(Refusal, await response.json().catch(() => null));
	if (!refusal.success) throw new MachineError('unreachable', t.machines.unreachable, false);
	const { type, message } = refusal.data.error;
	throw new MachineError(type, message, isFinalCode(type));
}
