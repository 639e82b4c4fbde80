import type { Host } from '../host.ts';
import { naming, notThere } from './not-there.ts';
import { Page } from './page.ts';
import { RequestContext } from './request-context.ts';
import type { Session, UseOptions } from './session.ts';

const DEFAULT_VIEWPORT = { width: 1280, height: 720 };

/** Playwright's `BrowserContext`: separate storage, and one page. */
export class BrowserContext {
	readonly request: RequestContext;
	#page: Page | null = null;

	constructor(
		private readonly session: Session,
		private readonly use: UseOptions,
		private readonly host: Host
	) {
		this.request = new RequestContext(use);
	}

	async newPage(): Promise<Page> {
		if (this.#page && !this.#page.isClosed()) throw notThere('A second page at a time');
		const viewport = this.use.viewport === undefined ? DEFAULT_VIEWPORT : this.use.viewport;
		const use = { ...this.use, viewport };
		await this.session.channel.ask({ do: 'begin', context: this.session.nextContext(), size: viewport });
		this.#page = naming(new Page(this.session, this, use, this.host), 'page');
		await this.#page.events.begin();
		return this.#page;
	}
	pages(): Page[] {
		return this.#page && !this.#page.isClosed() ? [this.#page] : [];
	}
	async close(): Promise<void> {
		await this.#page?.close();
	}
	setDefaultTimeout(timeoutMs: number): void {
		this.use.actionTimeout = timeoutMs;
	}
	async clearCookies(): Promise<void> {
		await this.#page?.evaluate(
			'() => { for (const pair of document.cookie.split(";")) document.cookie = pair.split("=")[0] + "=; max-age=0"; }'
		);
	}
}

/** Playwright's `Browser`: the browser of this tab. */
export class Browser {
	constructor(
		private readonly session: Session,
		private readonly use: UseOptions,
		private readonly host: Host
	) {}

	newContext(options: UseOptions = {}): Promise<BrowserContext> {
		return Promise.resolve(naming(new BrowserContext(this.session, { ...this.use, ...options }, this.host), 'context'));
	}
	async newPage(options: UseOptions = {}): Promise<Page> {
		return (await this.newContext(options)).newPage();
	}
	version(): string {
		return /Chrom(?:e|ium)\/([\d.]+)/.exec(navigator.userAgent)?.[1] ?? '0';
	}
	isConnected(): boolean {
		return true;
	}
	close(): Promise<void> {
		return Promise.resolve();
	}
}
