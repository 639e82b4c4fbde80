import type { WebContainer } from '@webcontainer/api';

/** A server that listens in the container. */
export interface ContainerServer {
	port: number;
	/** Address for an iframe of the page: has its own origin at StackBlitz. */
	url: string;
}

/** Servers of one container that are ready. */
export class ContainerServers {
	readonly #ready = new Map<number, ContainerServer>();
	readonly #listeners = new Set<(server: ContainerServer) => void>();
	#stops: (() => void)[] = [];

	/** Follows the port events of `container` until {@link stop}. */
	watch(container: Pick<WebContainer, 'on'>): void {
		this.#stops = [
			container.on('server-ready', (port, url) => {
				const server = { port, url };
				this.#ready.set(port, server);
				for (const listener of this.#listeners) listener(server);
			}),
			container.on('port', (port, type) => {
				if (type === 'close') this.#ready.delete(port);
			})
		];
	}

	/**
	 * @param listener called for each ready server; for current ones at once
	 * @returns unsubscribes
	 */
	onReady(listener: (server: ContainerServer) => void): () => void {
		const own = (server: ContainerServer): void => listener(server);
		this.#listeners.add(own);
		for (const server of this.#ready.values()) own(server);
		return () => this.#listeners.delete(own);
	}

	stop(): void {
		for (const stop of this.#stops.splice(0)) stop();
		this.#listeners.clear();
		this.#ready.clear();
	}
}
