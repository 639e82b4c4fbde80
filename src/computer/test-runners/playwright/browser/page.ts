import type { ProbeAnswer, TestPageState, TestProbe, TestStep } from '#environment/preview-testing.ts';
import type { Host } from '../host.ts';
import { apiCall } from './api-call.ts';
import { base64Bytes, serverAddress } from './addresses.ts';
import { PageEvents } from './events.ts';
import { Keyboard } from './keyboard.ts';
import { Finder, Locator, type Timeout } from './locator.ts';
import type { PageHandle } from './page-handle.ts';
import { naming, notThere } from './not-there.ts';
import { until } from './patience.ts';
import { type NavigationResponse, navigationResponse } from './navigation-response.ts';
import type { Session, UseOptions } from './session.ts';
import { type UrlPattern, matchesUrl } from './url-pattern.ts';

/** Time limit for a query that waits for nothing. Milliseconds. */
const PROBE_MS = 10_000;

export class TimeoutError extends Error {
	override readonly name = 'TimeoutError';
}

interface GotoOptions extends Timeout {
	waitUntil?: 'load' | 'domcontentloaded' | 'networkidle' | 'commit';
}

/** Playwright's `Page` over the preview. */
export class Page extends Finder implements PageHandle {
	readonly keyboard: Keyboard;
	readonly events: PageEvents;
	readonly mouse = naming({}, 'page.mouse');
	readonly touchscreen = naming({}, 'page.touchscreen');
	readonly clock = naming({}, 'page.clock');
	readonly coverage = naming({}, 'page.coverage');
	#address = 'about:blank';
	#isClosed = false;
	#timeoutMs: number | undefined;

	constructor(
		private readonly session: Session,
		private readonly owner: object,
		private readonly use: UseOptions,
		private readonly host: Host
	) {
		super();
		this.keyboard = new Keyboard((step) => apiCall(() => this.step('keyboard', 'the keyboard', step)));
		this.events = new PageEvents(session.channel, this, () => this.#isClosed);
	}

	find(selector: string, description: string): Locator {
		return naming(new Locator(this, selector, description), 'locator');
	}
	protected testIdAttribute(): string {
		return this.testIdName;
	}
	get testIdName(): string {
		return this.use.testIdAttribute ?? 'data-testid';
	}
	/** Returns the `BrowserContext` of the page. */
	context(): object {
		return this.owner;
	}
	mainFrame(): this {
		return this;
	}
	isClosed(): boolean {
		return this.#isClosed;
	}
	/** Ends all waits; the next page of the run uses the preview. */
	async close(): Promise<void> {
		if (this.#isClosed) return;
		await this.events.flush();
		this.#isClosed = true;
	}
	setDefaultTimeout(timeoutMs: number): void {
		this.#timeoutMs = timeoutMs;
	}
	setDefaultNavigationTimeout(timeoutMs: number): void {
		this.use.navigationTimeout = timeoutMs;
	}

	url(): string {
		return this.#address;
	}
	/** URL as the page itself sees it; `about:blank` before the first navigation. */
	async currentUrl(): Promise<string> {
		if (this.#address === 'about:blank') return this.#address;
		const { address } = await this.session.channel.ask({ do: 'settle', withinMs: 1 });
		return this.#at(address);
	}
	title(): Promise<string> {
		return this.evaluate(() => document.title);
	}
	content(): Promise<string> {
		return this.evaluate('(() => (document.doctype ? "<!DOCTYPE html>" : "") + document.documentElement.outerHTML)');
	}
	viewportSize(): { width: number; height: number } | null {
		return this.use.viewport ?? null;
	}
	async setViewportSize(size: { width: number; height: number }): Promise<void> {
		this.use.viewport = size;
		await this.session.channel.ask({ do: 'resize', size });
	}

	goto(url: string, { timeout, waitUntil }: GotoOptions = {}): Promise<NavigationResponse | null> {
		return apiCall(async () => {
			if (waitUntil === 'commit') throw notThere("The option waitUntil: 'commit'");
			const { port, target, href } = serverAddress(url, this.use.baseURL);
			const limit = this.session.deadline(timeout ?? this.use.navigationTimeout);
			const withinMs = Math.max(1, limit.atMs - performance.now());
			try {
				const state = await this.session.channel.ask({ do: 'go', port, url: target, withinMs });
				this.#address = new URL(state.address, href).href;
				if (!state.isLoaded)
					throw new TimeoutError(
						`page.goto: Timeout ${limit.timeoutMs}ms exceeded.\nCall log:\n  - navigating to "${href}", waiting until "load"\n`
					);
				return this.#response(state);
			} catch (error) {
				if (error instanceof TimeoutError || !(error instanceof Error)) throw error;
				const isRefused = error.message.startsWith('Nothing listens');
				throw new Error(
					`page.goto: ${isRefused ? `net::ERR_CONNECTION_REFUSED at ${href}. ` : ''}${error.message}\nCall log:\n  - navigating to "${href}", waiting until "load"\n`
				);
			} finally {
				await this.events.flush();
			}
		});
	}
	reload({ timeout }: GotoOptions = {}): Promise<NavigationResponse | null> {
		return apiCall(async () => {
			const limit = this.session.deadline(timeout ?? this.use.navigationTimeout);
			const state = await this.session.channel.ask({
				do: 'reload',
				withinMs: Math.max(1, limit.atMs - performance.now())
			});
			this.#address = this.#at(state.address);
			return this.#response(state);
		});
	}
	goBack(): Promise<null> {
		return this.#travel('back');
	}
	goForward(): Promise<null> {
		return this.#travel('forward');
	}
	async setContent(html: string): Promise<void> {
		if (this.#address === 'about:blank') throw notThere('page.setContent() before page.goto()');
		await this.evaluate('(html) => { document.open(); document.write(html); document.close(); }', html);
	}

	evaluate<Value>(call: string | ((argument: never) => Value), argument: unknown = null): Promise<Value> {
		return apiCall(async () => {
			const source = String(call);
			const probe = {
				kind: 'evaluate',
				source,
				argument: JSON.stringify(argument ?? null),
				selector: null,
				on: 'page'
			} as const;
			try {
				const { value } = await this.probe(probe);
				return (value === undefined ? undefined : JSON.parse(value)) as Value;
			} catch (error) {
				throw new Error(`page.evaluate: ${error instanceof Error ? error.message : String(error)}`);
			}
		});
	}
	addScriptTag({ content }: { content?: string }): Promise<void> {
		if (content === undefined) throw notThere('page.addScriptTag() without content');
		return this.evaluate(
			'(text) => { const script = document.createElement("script"); script.textContent = text; document.head.append(script); }',
			content
		);
	}
	addStyleTag({ content }: { content?: string }): Promise<void> {
		if (content === undefined) throw notThere('page.addStyleTag() without content');
		return this.evaluate(
			'(text) => { const style = document.createElement("style"); style.textContent = text; document.head.append(style); }',
			content
		);
	}

	async waitForTimeout(ms: number): Promise<void> {
		await new Promise((resolve) => setTimeout(resolve, ms));
	}
	async waitForLoadState(_state = 'load', { timeout }: Timeout = {}): Promise<void> {
		const { atMs } = this.session.deadline(timeout ?? this.use.navigationTimeout);
		const state = await this.session.channel.ask({ do: 'settle', withinMs: Math.max(1, atMs - performance.now()) });
		this.#address = this.#at(state.address);
	}
	waitForURL(pattern: UrlPattern, { timeout }: Timeout = {}): Promise<void> {
		return this.within('page.waitForURL', 'navigation', timeout ?? this.use.navigationTimeout, async () => {
			this.#address = await this.currentUrl();
			return matchesUrl(this.#address, pattern, this.use.baseURL) ? true : null;
		}).then(() => undefined);
	}
	waitForFunction<Value>(
		call: string | ((argument: never) => Value),
		argument: unknown = null,
		{ timeout }: Timeout = {}
	): Promise<Value> {
		return this.within('page.waitForFunction', 'function', timeout, () =>
			this.evaluate<Value>(call, argument).then((value) => value || null)
		) as Promise<Value>;
	}
	waitForSelector(selector: string, options: Parameters<Locator['waitFor']>[0] = {}): Promise<void> {
		return this.locator(selector).waitFor(options);
	}
	waitForEvent(name: string, options: Timeout & { predicate?: (value: never) => unknown } = {}): Promise<unknown> {
		const { atMs, timeoutMs } = this.session.deadline(options.timeout ?? this.#timeoutMs);
		return apiCall(() => this.events.next(name, options.predicate, atMs, timeoutMs));
	}
	waitForResponse(wanted: UrlPattern | ((response: never) => unknown), options: Timeout = {}): Promise<unknown> {
		return this.#nextRequest('response', wanted, options);
	}
	waitForRequest(wanted: UrlPattern | ((request: never) => unknown), options: Timeout = {}): Promise<unknown> {
		return this.#nextRequest('request', wanted, options);
	}
	on(name: string, listener: (value: never) => unknown): this {
		this.events.on(name, listener);
		return this;
	}
	once(name: string, listener: (value: never) => unknown): this {
		this.events.on(name, listener, true);
		return this;
	}
	off(name: string, listener: (value: never) => unknown): this {
		this.events.off(name, listener);
		return this;
	}
	removeListener(name: string, listener: (value: never) => unknown): this {
		return this.off(name, listener);
	}
	screenshot(options: { path?: string; fullPage?: boolean } = {}): Promise<Uint8Array> {
		return this.picture(null, options);
	}

	/** Sends a query to the page. Rejects if the query is invalid. */
	async probe(probe: TestProbe): Promise<ProbeAnswer> {
		if (this.#isClosed) throw new Error('Target page, context or browser has been closed');
		// Before the first navigation the page is empty.
		if (this.#address === 'about:blank') return { count: 0, element: '' };
		const answer = await this.session.channel.ask({ do: 'probe', probe, withinMs: PROBE_MS });
		await this.events.flush();
		if (answer.error !== undefined) throw new Error(answer.error);
		return answer;
	}

	/** Performs an action on an element as soon as it is possible. */
	async step(name: string, description: string, step: TestStep, timeout?: number): Promise<void> {
		if (this.#isClosed) throw new Error('Target page, context or browser has been closed');
		const limit = this.session.deadline(timeout ?? this.#timeoutMs ?? this.use.actionTimeout);
		const log = `Call log:\n  - waiting for ${description}\n`;
		const late = `${limit.isOwn ? 'Timeout' : 'Test timeout of'} ${limit.timeoutMs}ms exceeded.`;
		if (this.#address === 'about:blank') throw await this.#never(name, late, log, limit.atMs);
		try {
			await this.events.prepare();
			await this.session.channel.ask({ do: 'step', step, withinMs: Math.max(1, limit.atMs - performance.now()) });
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			if (/strict mode violation/.test(message)) throw new Error(`${name}: Error: ${message}\n${log}`);
			if (performance.now() < limit.atMs - 20) throw new Error(`${name}: Error: ${message}\n${log}`);
			throw timeoutError(`${name}: ${late}\n${log}${whyNot(message)}`, limit.isOwn);
		} finally {
			await this.events.flush();
		}
		this.#address = await this.currentUrl();
	}

	/** Retries until `attempt` returns a result. Rejects as Playwright does after the timeout. */
	within<Value>(
		name: string,
		description: string,
		timeout: number | undefined,
		attempt: () => Promise<Value | null>
	): Promise<Value> {
		return apiCall(async () => {
			const limit = this.session.deadline(timeout ?? this.#timeoutMs ?? this.use.actionTimeout);
			try {
				const value = await until(limit.atMs, attempt);
				if (value !== null) return value;
			} catch (error) {
				throw new Error(`${name}: Error: ${error instanceof Error ? error.message : String(error)}`);
			}
			const late = `${limit.isOwn ? 'Timeout' : 'Test timeout of'} ${limit.timeoutMs}ms exceeded.`;
			throw timeoutError(`${name}: ${late}\nCall log:\n  - waiting for ${description}\n`, limit.isOwn);
		});
	}

	async picture(
		selector: string | null,
		{ path, fullPage = false }: { path?: string; fullPage?: boolean }
	): Promise<Uint8Array> {
		const { png } = await this.session.channel.ask({ do: 'picture', selector, isFull: fullPage });
		const bytes = base64Bytes(png);
		if (path !== undefined) this.host.write(path, bytes);
		return bytes;
	}
	readFile(path: string): Uint8Array<ArrayBuffer> | null {
		return this.host.read(path);
	}

	#at(address: string): string {
		return URL.canParse(address, this.#address) ? new URL(address, this.#address).href : this.#address;
	}
	#response({ status }: TestPageState): NavigationResponse | null {
		return status === null ? null : navigationResponse(this.#address, status);
	}
	async #travel(way: 'back' | 'forward'): Promise<null> {
		await this.evaluate(
			`() => { setTimeout(() => history.${way}(), 0); return new Promise((resolve) => setTimeout(resolve, 20)); }`
		);
		this.#address = await this.currentUrl();
		return null;
	}
	#nextRequest(name: string, wanted: UrlPattern | ((value: never) => unknown), options: Timeout): Promise<unknown> {
		const isWanted = (value: { url(): string }): unknown =>
			typeof wanted === 'function'
				? (wanted as (value: unknown) => unknown)(value)
				: matchesUrl(value.url(), wanted, this.use.baseURL);
		return this.waitForEvent(name, { ...options, predicate: isWanted as (value: never) => unknown });
	}
	async #never(name: string, late: string, log: string, atMs: number): Promise<TimeoutError> {
		await new Promise((resolve) => setTimeout(resolve, Math.max(0, atMs - performance.now())));
		return new TimeoutError(`${name}: ${late}\n${log}`);
	}
}

/** Playwright's error if the action's own timeout expired; for the test's timeout it is an ordinary error. */
const timeoutError = (message: string, isOwn: boolean): Error =>
	isOwn ? new TimeoutError(message) : new Error(message);

/** Lines of the call log that explain what an element lacked. */
function whyNot(message: string): string {
	if (message.startsWith('There is no element')) return '';
	const [, element, state] = /^The element .* \((<.*>)\) is not (\S+?)\.$/s.exec(message) ?? [];
	if (element !== undefined) return `    - locator resolved to ${element}\n    - element is not ${state}\n`;
	return `    - ${message.replace(/ the element \S.*?, so/, ' the element, so')}\n`;
}

/** Playwright's shortcut methods of a page for its locators. */
const SHORT = [
	...['click', 'dblclick', 'tap', 'fill', 'press', 'type', 'check', 'uncheck', 'setChecked', 'hover', 'focus'],
	...['selectOption', 'setInputFiles', 'dispatchEvent', 'textContent', 'innerText', 'innerHTML', 'inputValue'],
	...['getAttribute', 'isVisible', 'isHidden', 'isEnabled', 'isDisabled', 'isEditable', 'isChecked']
] as const;

for (const name of SHORT)
	Object.defineProperty(Page.prototype, name, {
		value(this: Page, selector: string, ...given: unknown[]): unknown {
			const locator = this.locator(selector);
			return Reflect.apply(Reflect.get(locator, name) as (...words: unknown[]) => unknown, locator, given);
		}
	});
