import type { Rights } from '#environment/contract.ts';
import type { PortInfo } from '#computer/abi/syscalls.ts';
import { errno } from '#computer/abi/errno.ts';
import { mayReach } from '../rights/rights.ts';
import { Ports } from '../sockets/ports.ts';
import type { SocketEnd } from '../sockets/socket.ts';

/** Loopback of a trial: its own servers, and those outside that its rights allow. */
export class TrialPorts extends Ports {
	/** @param refused receives the hosts that were not reached */
	constructor(
		private readonly outside: Ports,
		private readonly rights: Rights,
		private readonly refused: Set<string>
	) {
		super();
	}

	override connect(host: string, port: number): SocketEnd {
		if (this.hasOwn(port) || !this.outside.listens(port)) return super.connect(host, port);
		const name = `localhost:${port}`;
		if (mayReach(this.rights, name)) return this.outside.connect(host, port);
		this.refused.add(name);
		throw errno('ECONNREFUSED', undefined, `${name}: a command on trial has no right to reach it`);
	}

	override listens(port: number): boolean {
		return this.hasOwn(port) || this.outside.listens(port);
	}

	override list(): PortInfo[] {
		return [...this.outside.list().filter(({ port }) => !this.hasOwn(port)), ...this.own()].sort(
			(a, b) => a.port - b.port
		);
	}

	/** Ports the trial itself listens on. */
	own(): PortInfo[] {
		return super.list();
	}

	hasOwn(port: number): boolean {
		return super.listens(port);
	}
}
