import type { WebSocketRequest } from '#environment/contract.ts';
import type { Site } from './answer.ts';

/** Subprotocol of Vite, and of everything built on it. */
const PROTOCOL = 'vite-hmr';
/** URLs of other development servers: Next.js, Rsbuild, Parcel, Bun, LiveReload. */
const ADDRESSES = /[/_-]hmr\b|\/livereload\b/i;

/** Tracks connections through which a development server notifies its own page about changes. */
export class HotUpdates {
	#open = 0;
	readonly #waiting = new Set<() => void>();

	/** True while the displayed page is connected: it then needs no reload from outside. */
	get isConnected(): boolean {
		return this.#open > 0;
	}

	/** Resolves when the server has sent its page something, or after `withinMs`. */
	next(withinMs: number): Promise<void> {
		return new Promise((resolve) => {
			const end = (): void => {
				clearTimeout(timer);
				this.#waiting.delete(end);
				resolve();
			};
			const timer = setTimeout(end, withinMs);
			this.#waiting.add(end);
		});
	}

	/** Wraps a site to track its connections of this kind. */
	watch(site: Site): Site {
		if (!site.webSocket) return site;
		const open = site.webSocket.bind(site);
		return {
			answer: (request) => site.answer(request),
			webSocket: (request) => (isForHotUpdates(request) ? this.#watched(request, open) : open(request))
		};
	}

	async #watched(request: WebSocketRequest, open: NonNullable<Site['webSocket']>): ReturnType<typeof open> {
		let isOver = false;
		let isOpen = false;
		const socket = await open({
			...request,
			onMessage: (message) => {
				request.onMessage(message);
				for (const tell of [...this.#waiting]) tell();
			},
			onEnd: (end) => {
				isOver = true;
				if (isOpen) this.#open--;
				request.onEnd(end);
			}
		});
		if (isOver) return socket;
		isOpen = true;
		this.#open++;
		return socket;
	}
}

function isForHotUpdates({ target, protocols }: WebSocketRequest): boolean {
	return protocols.includes(PROTOCOL) || ADDRESSES.test(target.replace(/\?.*$/, ''));
}
