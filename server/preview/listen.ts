import type { Server } from 'node:http';
import { isLoopback, type Configuration } from '../configuration/load.ts';
import { listen } from '../listen.ts';
import { shutDown } from '../shutdown.ts';

/** Maximum number of open previews in a browser that gives `<label>.localhost` no storage. */
const PORTS = 4;

export interface PreviewPorts {
	ports: readonly number[];
	close: () => Promise<unknown>;
}

/**
 * Opens the ports for previews on this machine: those after the page's, or any free ones. Opens none if other
 * machines reach the server, since a proxy in front of it knows one port only, or if the settings name an
 * origin.
 * @param pagePort port of the page
 */
export async function listenForPreviews(
	{ HOST, SANDGLASS_PREVIEW_ORIGIN, PORT }: Configuration,
	pagePort: number,
	createServer: () => Server
): Promise<PreviewPorts> {
	const servers: Server[] = [];
	const ports: number[] = [];
	const close = (): Promise<unknown> => Promise.all(servers.map((server) => shutDown(server, 0)));
	if (!isLoopback(HOST) || SANDGLASS_PREVIEW_ORIGIN !== undefined) return { ports, close };
	try {
		for (let next = pagePort + 1; ports.length < PORTS; next += 1) {
			const server = createServer();
			ports.push(await listenNear(server, PORT === 0 || next > 65_535 ? 0 : next, HOST));
			servers.push(server);
		}
	} catch (error) {
		await close();
		throw error;
	}
	return { ports, close };
}

/** Listens on `wanted`, or on any free port if another program uses that one. */
async function listenNear(server: Server, wanted: number, host: string): Promise<number> {
	try {
		return await listen(server, wanted, host);
	} catch (error) {
		if (wanted === 0) throw error;
		return listen(server, 0, host);
	}
}
