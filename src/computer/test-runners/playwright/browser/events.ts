import type { TestLogEntry } from '#environment/preview-testing.ts';
import type { Channel } from './channel.ts';
import { Dialogs } from './dialogs.ts';
import { navigationResponse } from './navigation-response.ts';
import { notThere } from './not-there.ts';
import type { PageHandle } from './page-handle.ts';
import { until } from './patience.ts';

type Listener = (value: never) => unknown;

/** Events of a page that are in the preview's log; a test that requests any other gets an error with its name. */
const EVENTS = [
	'console',
	'pageerror',
	'request',
	'response',
	'requestfinished',
	'requestfailed',
	'dialog',
	'close',
	'load',
	'domcontentloaded'
];
const LOOK_AGAIN_MS = [20, 50, 100];
const TYPES: Readonly<Record<string, string>> = { warn: 'warning' };

/** Output, errors and requests of the page for the listeners of a test. */
export class PageEvents {
	readonly #listeners = new Map<string, Map<Listener, boolean>>();
	readonly #dialogs: Dialogs;
	#since = 0;

	constructor(
		private readonly channel: Channel,
		private readonly page: PageHandle,
		private readonly isClosed: () => boolean
	) {
		this.#dialogs = new Dialogs(channel, page, () => this.#of('dialog'));
	}

	on(name: string, listener: Listener, isOnce = false): void {
		if (!EVENTS.includes(name)) throw notThere(`page.on('${name}')`);
		const known = this.#listeners.get(name) ?? new Map<Listener, boolean>();
		this.#listeners.set(name, known.set(listener, isOnce));
	}

	off(name: string, listener: Listener): void {
		this.#listeners.get(name)?.delete(listener);
	}

	/** Skips log entries of earlier pages. */
	async begin(): Promise<void> {
		this.#since = (await this.channel.ask({ do: 'logs', since: Number.MAX_SAFE_INTEGER })).last;
	}

	/** Determines how dialogs of the next action are answered: the page does not wait for a listener. */
	prepare(): Promise<void> {
		return this.#dialogs.prepare();
	}

	/** Notifies listeners of everything since the last time. */
	async flush(): Promise<void> {
		if (this.#listeners.size === 0 || this.isClosed()) return;
		const { entries, last } = await this.channel.ask({ do: 'logs', since: this.#since });
		this.#since = last;
		for (const entry of entries) await this.#emit(entry);
	}

	/** Waits for the next event of a name, or the first that a predicate accepts. */
	async next(name: string, predicate: Listener | undefined, deadlineMs: number, timeoutMs: number): Promise<unknown> {
		let found: { value: unknown } | null = null;
		const listener = (value: never): void => {
			if (!found && (!predicate || predicate(value))) found = { value };
		};
		this.on(name, listener);
		const happened = await until(deadlineMs, async () => (await this.flush(), found), LOOK_AGAIN_MS);
		this.off(name, listener);
		if (!happened)
			throw new Error(`page.waitForEvent: Timeout ${timeoutMs}ms exceeded while waiting for event "${name}"`);
		return (happened as { value: unknown }).value;
	}

	async #emit({ kind, text, place }: TestLogEntry): Promise<void> {
		if (text.startsWith('[dialog] ')) return this.#dialogs.opened(text, (name, value) => this.#tell(name, value));
		if (kind === 'request') {
			const [, method = 'GET', target = '/', status] = /^([A-Z]+) (\S+) → (\d+)?/.exec(text) ?? [];
			const url = URL.canParse(target, this.page.url()) ? new URL(target, this.page.url()).href : target;
			const response = navigationResponse(url, Number(status ?? 0), method);
			await this.#tell('request', response.request());
			await this.#tell(status === undefined ? 'requestfailed' : 'response', response);
			if (status !== undefined) await this.#tell('requestfinished', response.request());
			return;
		}
		if (kind === 'error' && /^(Uncaught|\w*Error:)/.test(text)) return this.#tell('pageerror', pageError(text));
		const type = TYPES[kind] ?? kind;
		await this.#tell('console', {
			type: () => type,
			text: () => text,
			args: () => [],
			location: () => ({ url: place }),
			page: () => this.page
		});
	}

	#of(name: string): Listener[] {
		return [...(this.#listeners.get(name)?.keys() ?? [])];
	}

	async #tell(name: string, value: unknown): Promise<void> {
		const known = this.#listeners.get(name);
		for (const [listener, isOnce] of [...(known ?? [])]) {
			if (isOnce) known?.delete(listener);
			await (listener as (given: unknown) => unknown)(value);
		}
	}
}

function pageError(text: string): Error {
	const [, name, message] = /^(?:Uncaught (?:\(in promise\) )?)?(\w*Error): (.*)$/s.exec(text) ?? [];
	return Object.assign(new Error(message ?? text.replace(/^Uncaught /, '')), { name: name ?? 'Error' });
}
