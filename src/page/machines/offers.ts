import * as z from 'zod/mini';
import { MACHINE_KINDS } from '#agent/events.ts';
import { serverConfig } from '../server-config.ts';

const MachineOffer = z.object({
	id: z.string().check(z.minLength(1), z.maxLength(100)),
	kind: z.enum(MACHINE_KINDS),
	name: z.string().check(z.maxLength(300)),
	cpus: z.optional(z.number().check(z.positive())),
	memoryBytes: z.optional(z.number().check(z.positive())),
	/** Maximum lifetime of a machine in seconds. */
	lifetimeS: z.optional(z.number().check(z.positive()))
});
/** A type of machine that the server offers. */
export type MachineOffer = z.infer<typeof MachineOffer>;

const Answer = z.object({ types: z.array(z.unknown()).check(z.maxLength(100)) });

/** Last answer, for a server that is restarting. */
let offered: MachineOffer[] = [];

/** Machines that the server offers; none if it has no such route. Kinds unknown to this page are omitted. */
export async function machineOffers(): Promise<MachineOffer[]> {
	if (!(await serverConfig())?.machines) return [];
	const response = await fetch('/api/machines').catch(() => null);
	if (response?.ok) offered = parseOffers(await response.json().catch(() => null));
	return offered;
}

/** Parses the server's answer, which is untrusted. */
export function parseOffers(answer: unknown): MachineOffer[] {
	const parsed = z.safeParse(Answer, answer);
	if (!parsed.success) return [];
	return parsed.data.types.flatMap((type) => {
		const offer = z.safeParse(MachineOffer, type);
		return offer.success ? [offer.data] : [];
	});
}
