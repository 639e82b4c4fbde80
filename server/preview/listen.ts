import { isLoopback, type Configuration } from '../configuration/load.ts';
import { createHttpServer, type Fetch } from '../http-server.ts';
import { listen } from '../listen.ts';
import { shutDown } from '../shutdown.ts';

/**
 * Opens the port previews have on this machine: the one after the page's, or any free one. None where other machines
 * reach the server, since a proxy in front of it knows one port only, nor where the settings name an origin.
 */
export async function listenForPreviews(
	{ HOST, SANDGLASS_PREVIEW_ORIGIN, PORT }: Configuration,
	pagePort: number,
	fetch: Fetch
): Promise<{ port: number; close: () => Promise<void> } | null> {
	if (!isLoopback(HOST) || SANDGLASS_PREVIEW_ORIGIN !== undefined) return null;
	for (const wanted of PORT === 0 || pagePort === 65_535 ? [0] : [pagePort + 1, 0]) {
		const server = createHttpServer(fetch);
		try {
			const port = await listen(server, wanted, HOST);
			return { port, close: () => shutDown(server, 0) };
		} catch (error) {
			// The port after ours may be somebody else's.
			if (wanted === 0) throw error;
		}
	}
	return null;
}
