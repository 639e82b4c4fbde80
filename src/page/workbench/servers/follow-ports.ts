import type { ExecutionEnvironment, LocalServers } from '#environment/contract.ts';

/**
 * Reports the listening ports of an environment, now and after each change. Returns a function that stops it.
 */
export function followPorts(
	environment: ExecutionEnvironment,
	tell: (ports: LocalServers['ports']) => void
): () => void {
	const servers = environment.loopback;
	if (!servers) return () => {};
	tell(servers.ports);
	return servers.onPorts(() => tell(servers.ports));
}
