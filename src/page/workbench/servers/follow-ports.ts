import type { ExecutionEnvironment, LocalServers } from '#environment/contract.ts';

/** Tells the ports that listen in an environment, now and whenever that changes. Returns what ends it. */
export function followPorts(
	environment: ExecutionEnvironment,
	tell: (ports: LocalServers['ports']) => void
): () => void {
	const servers = environment.loopback;
	if (!servers) return () => {};
	tell(servers.ports);
	return servers.onPorts(() => tell(servers.ports));
}
