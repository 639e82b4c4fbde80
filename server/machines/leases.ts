import { randomBytes } from 'node:crypto';
import { LinkAcceptor } from '#environment/remote/accept.ts';
import type { Channel } from '#environment/remote/channel.ts';
import { EnvironmentHost } from '#environment/remote/host.ts';
import type { Machine, MachineProvider, MachineType } from './contract.ts';
import { MachineReadiness } from './readiness.ts';

const TICKET_MS = 30_000;

export interface LeaseLimits {
	/** Maximum number of machines of one client at the same time. */
	perClient: number;
	/** A machine without a session is suspended after this time, and removed after twice as long. */
	idleMs: number;
	/** A machine is removed after this time, even if in use. */
	lifetimeMs: number;
}

/** Session that writes to a machine. */
export interface Holder {
	session: string;
	/** Title shown to a second session. */
	title: string;
}

/** A second session asked for a machine that is in use. */
export class LeasedError extends Error {
	override readonly name = 'LeasedError';
	constructor(readonly holder: Holder) {
		super(`The session "${holder.title}" uses this machine.`);
	}
}

/** The client already has the maximum number of machines. */
export class QuotaError extends Error {
	override readonly name = 'QuotaError';
}

/** Address of the client that requests a machine, and the session that will use it. */
export interface Asker {
	client: string;
	session: string;
}

interface Tenancy {
	machine: Machine;
	provider: MachineProvider;
	asker: Asker;
	holder: Holder | undefined;
	acceptor: LinkAcceptor;
	/** Time since which no session has been connected. */
	idleSinceMs: number;
	/** Fires when the lease of the machine ends. */
	over: AbortController;
}

interface Ticket {
	tenancy: Tenancy;
	holder: Holder;
	expiresMs: number;
}

/**
 * Machines of this server and the sessions that use them. A machine's id is the capability to use it: it is sent only
 * to the client that created it.
 */
export class MachineLeases {
	readonly #tenancies = new Map<string, Tenancy>();
	readonly #tickets = new Map<string, Ticket>();
	readonly #creating = new Set<Asker>();
	readonly readiness: MachineReadiness;
	/** Last creation requested by each session. */
	readonly #turns = new Map<string, Promise<unknown>>();

	constructor(
		private readonly providers: readonly MachineProvider[],
		private readonly limits: LeaseLimits,
		private readonly now: () => number = Date.now
	) {
		this.readiness = new MachineReadiness(providers, now);
	}

	get types(): readonly MachineType[] {
		return this.providers.map(({ type }) => type);
	}

	/** Number of machines by type, in use or idle. */
	counts(): ReadonlyMap<string, number> {
		const counts = new Map(this.providers.map(({ type }) => [type.id, 0]));
		for (const { machine } of this.#tenancies.values()) counts.set(machine.type, (counts.get(machine.type) ?? 0) + 1);
		return counts;
	}

	/**
	 * Creates a machine for a session. Removes the session's earlier machine, if any: its page was closed in the middle
	 * of a move or lost the connection, and will not return to it.
	 *
	 * @throws QuotaError; or an error of the engine
	 */
	async create(typeId: string, asker: Asker): Promise<Machine | undefined> {
		const provider = this.providers.find(({ type }) => type.id === typeId);
		if (!provider) return undefined;
		if (provider.type.kind === 'host') return this.#admit(await provider.create(), provider, asker);
		// A closed page may have requested a machine that is still being created.
		const key = JSON.stringify([asker.client, asker.session]);
		const turn = Promise.allSettled([this.#turns.get(key)]).then(() => this.#replace(provider, asker));
		this.#turns.set(key, turn);
		try {
			return await turn;
		} finally {
			if (this.#turns.get(key) === turn) this.#turns.delete(key);
		}
	}

	async #replace(provider: MachineProvider, asker: Asker): Promise<Machine> {
		for (const { machine, provider: own, asker: other } of this.#tenancies.values()) {
			const isSame = other.client === asker.client && other.session === asker.session;
			if (isSame && own.type.kind !== 'host') await this.remove(machine.id);
		}
		const used = this.#countOf(asker.client);
		if (used >= this.limits.perClient)
			throw new QuotaError(
				`You have ${used === 1 ? 'a machine' : `${used} machines`} already. Bring a session back to its tab first.`
			);
		this.#creating.add(asker);
		try {
			return this.#admit(await provider.create(), provider, asker);
		} finally {
			this.#creating.delete(asker);
		}
	}

	/** Number of machines that a client has or is creating; the folder of this computer does not count. */
	#countOf(client: string): number {
		const owned = [...this.#tenancies.values()].filter(
			({ provider, asker }) => provider.type.kind !== 'host' && asker.client === client
		);
		return owned.length + [...this.#creating].filter((asker) => asker.client === client).length;
	}

	/**
	 * Returns a secret that opens one connection.
	 * @param takeOver disconnects a session that uses the machine
	 * @throws LeasedError
	 */
	async ticket(machineId: string, holder: Holder, takeOver: boolean): Promise<string | undefined> {
		const tenancy = this.#tenancies.get(machineId);
		if (!tenancy) return undefined;
		const current = tenancy.holder;
		if (current && current.session !== holder.session) {
			if (!takeOver) throw new LeasedError(current);
			await tenancy.acceptor.close();
		}
		tenancy.holder = holder;
		const secret = randomBytes(32).toString('base64url');
		this.#tickets.set(secret, { tenancy, holder, expiresMs: this.now() + TICKET_MS });
		return secret;
	}

	/** Connects a channel. Returns false for a ticket that is unknown, used or expired. */
	connect(secret: string, open: () => Channel): boolean {
		const ticket = this.#tickets.get(secret);
		this.#tickets.delete(secret);
		if (!ticket || ticket.expiresMs < this.now()) return false;
		if (ticket.tenancy.holder?.session !== ticket.holder.session) return false;
		ticket.tenancy.acceptor.accept(open());
		return true;
	}

	/** Ends the sessions of a machine and removes it. */
	async remove(machineId: string): Promise<void> {
		const tenancy = this.#tenancies.get(machineId);
		if (!tenancy) return;
		this.#tenancies.delete(machineId);
		tenancy.over.abort();
		try {
			await tenancy.acceptor.close();
		} finally {
			await tenancy.provider.destroy(machineId);
		}
	}

	/** Suspends and removes machines by age, and removes those left behind by a server that crashed. */
	async sweep(): Promise<void> {
		const now = this.now();
		for (const [secret, { expiresMs }] of this.#tickets) if (expiresMs < now) this.#tickets.delete(secret);
		for (const provider of this.providers) {
			if (provider.type.kind === 'host') continue;
			for (const machine of await provider.list()) await this.#sweepOne(machine, provider, now);
		}
	}

	/** Ends all connections; the machines are removed too, since only this server's memory records who may use them. */
	async close(): Promise<void> {
		await Promise.allSettled([...this.#tenancies.keys()].map((id) => this.remove(id)));
	}

	async #sweepOne(machine: Machine, provider: MachineProvider, now: number): Promise<void> {
		const tenancy = this.#tenancies.get(machine.id);
		if (!tenancy) {
			// A machine that is just being created must not be removed.
			if (now - machine.createdMs > TICKET_MS * 2) await provider.destroy(machine.id);
			return;
		}
		if (tenancy.acceptor.linkIds.length > 0) tenancy.idleSinceMs = now;
		const idleMs = now - tenancy.idleSinceMs;
		if (now - machine.createdMs > this.limits.lifetimeMs || idleMs > 2 * this.limits.idleMs)
			await this.remove(machine.id);
		else if (idleMs > this.limits.idleMs && !machine.isSuspended) await provider.suspend(machine.id);
	}

	#admit(machine: Machine, provider: MachineProvider, asker: Asker): Machine {
		if (this.#tenancies.has(machine.id)) return machine;
		const acceptor = new LinkAcceptor({
			open: async (_id, link) => new EnvironmentHost(await provider.attach(machine.id), link),
			onClosed: () => {
				tenancy.idleSinceMs = this.now();
				if (acceptor.linkIds.length === 0) tenancy.holder = undefined;
			}
		});
		const over = new AbortController();
		const tenancy: Tenancy = { machine, provider, asker, holder: undefined, acceptor, idleSinceMs: this.now(), over };
		this.#tenancies.set(machine.id, tenancy);
		void provider
			.ended(machine.id, over.signal)
			.then(() => this.remove(machine.id))
			// The sweep removes any remains in the engine.
			.catch(() => undefined);
		return machine;
	}
}
