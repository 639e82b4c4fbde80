import type { LocalServers } from '#environment/contract.ts';
import { PreviewError } from '#environment/preview.ts';

/** Resolves to true if a server listens on the port within the time limit. */
export function opensWithin(
	servers: LocalServers,
	port: number,
	withinMs: number,
	signal: AbortSignal
): Promise<boolean> {
	const isOpen = (): boolean => servers.ports.some((each) => each.port === port);
	if (isOpen()) return Promise.resolve(true);
	return new Promise((resolve, reject) => {
		const end = (): void => {
			leave();
			clearTimeout(timer);
			signal.removeEventListener('abort', stop);
		};
		const stop = (): void => {
			end();
			reject(signal.reason as Error);
		};
		const leave = servers.onPorts(() => {
			if (!isOpen()) return;
			end();
			resolve(true);
		});
		const timer = setTimeout(() => {
			end();
			resolve(false);
		}, withinMs);
		signal.addEventListener('abort', stop);
	});
}

/** Path and query on the server, whatever the form of the URL. */
export function addressOn(port: number, url = '/'): string {
	const base = `http://localhost:${port}`;
	if (!URL.canParse(url, base)) throw new PreviewError(`${url} is no address. Give a path such as /about?tab=1.`);
	const { pathname, search, hash } = new URL(url, base);
	return pathname + search + hash;
}
