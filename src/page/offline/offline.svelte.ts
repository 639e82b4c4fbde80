import * as z from 'zod/mini';
import { savesData } from '../saves-data.ts';
import { CACHE } from './page-cache.ts';
import type { OfflineRequest } from './list.ts';

/** Storage key; `no` if the user disabled offline use, `yes` if they enabled it despite saving data. */
export const OFFLINE_KEY = 'sandglass:offline';

const WORKER = '/sw.js';
/** Allows only the service worker's URL. */
const policy = globalThis.trustedTypes?.createPolicy('sandglass-offline', {
	createScriptURL: (address: string): string => {
		if (address !== WORKER) throw new TypeError(`${address} is not the service worker.`);
		return address;
	}
});
/** Minimum age of the tab before checking for a newer build. */
const CHECK_AFTER_MS = 3_600_000;

const Identity = z.object({ build: z.string(), runner: z.string() });
const Progress = z.object({ kept: z.number(), all: z.number(), failed: z.boolean() });

/** `missing`: not supported by this browser or site; `partly`: only parts that were used before work offline. */
export type OfflineState = 'missing' | 'off' | 'loading' | 'partly' | 'ready';

/** Stores the page and all its programs in the browser, and detects newer builds on the server. */
class Offline {
	state: OfflineState = $state('off');
	/** True if the server has a different build from this page's. */
	isOutdated = $state(false);
	#registration: ServiceWorkerRegistration | null = null;
	#checkedAt = Date.now();

	/** Called once per page, when it has settled. Never rejects. */
	async start(): Promise<void> {
		if (!('serviceWorker' in navigator)) {
			this.state = 'missing';
			return;
		}
		navigator.serviceWorker.addEventListener('controllerchange', () => void this.#meet());
		document.addEventListener('visibilitychange', () => void this.#lookForNewer());
		if (isWanted()) await this.#turnOn();
	}

	/** Rejects, with the browser's reason, if the page cannot be stored. */
	async choose(wanted: boolean): Promise<void> {
		localStorage.setItem(OFFLINE_KEY, wanted ? 'yes' : 'no');
		if (wanted) return this.#turnOn();
		await this.forget();
	}

	/** Removes the stored page and its worker. */
	async forget(): Promise<void> {
		if (this.state === 'missing') return;
		const registration = await navigator.serviceWorker?.getRegistration();
		await registration?.unregister();
		await globalThis.caches?.delete(CACHE);
		this.#registration = null;
		this.state = 'off';
	}

	async #turnOn(): Promise<void> {
		this.state = 'loading';
		try {
			this.#registration = await navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER);
			await navigator.serviceWorker.ready;
		} catch (error) {
			// Private windows and blocked storage: the page works as before, but needs its server.
			console.warn('The page could not be kept for use without its server.', error);
			this.state = 'missing';
			return;
		}
		await this.#meet();
	}

	/** Asks the active worker for its build, and makes it cache the remaining files. */
	async #meet(): Promise<void> {
		const worker = this.#registration?.active;
		if (!worker) return;
		const [answer] = ask(worker, 'which');
		const { build, runner } = z.parse(Identity, await answer);
		const own = document.querySelector('meta[name="build"]')?.getAttribute('content');
		this.isOutdated = own !== undefined && own !== build;
		keepFrame(runner);
		const [, port] = ask(worker, 'fill');
		port.onmessage = ({ data }: MessageEvent<unknown>) => {
			const { kept, all, failed } = z.parse(Progress, data);
			if (this.state !== 'off') this.state = failed ? 'partly' : kept === all ? 'ready' : 'loading';
		};
	}

	async #lookForNewer(): Promise<void> {
		if (document.hidden || !this.#registration || Date.now() - this.#checkedAt < CHECK_AFTER_MS) return;
		this.#checkedAt = Date.now();
		try {
			await this.#registration.update();
		} catch (error) {
			// Without a network, there is no newer build to find.
			console.debug('No newer build could be looked for.', error);
		}
	}
}

/** Users who save data do not get tens of megabytes without asking for them. */
function isWanted(): boolean {
	const choice = localStorage.getItem(OFFLINE_KEY);
	return savesData() ? choice === 'yes' : choice !== 'no';
}

function ask(worker: ServiceWorker, request: OfflineRequest): [first: Promise<unknown>, port: MessagePort] {
	const { port1, port2 } = new MessageChannel();
	const first = new Promise<unknown>((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
	worker.postMessage(request, [port2]);
	return [first, port1];
}

/** Loads the sandbox frame once, so that the browser's HTTP cache has it: no service worker may answer for it. */
function keepFrame(runner: string): void {
	const frame = document.createElement('iframe');
	frame.hidden = true;
	frame.setAttribute('sandbox', 'allow-scripts');
	frame.addEventListener('load', () => frame.remove(), { once: true });
	frame.src = `/runner?v=${runner}`;
	document.body.append(frame);
}

export const offline = new Offline();
