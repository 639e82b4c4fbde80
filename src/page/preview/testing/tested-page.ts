import { PreviewError } from '#environment/preview.ts';
import type { TestAnswers, TestPageState, TestRequest } from '#environment/preview-testing.ts';
import { checkedPicture } from '../checked-picture.ts';
import type { DisplayedPage } from '../displayed-page.ts';
import { addressOn } from '../ports.ts';
import type { PreviewState } from '../preview-state.svelte.ts';

/** Time limit in milliseconds for an answer that does not wait. */
const ANSWER_MS = 10_000;
const PICTURE_MS = 20_000;
/** Time limit in milliseconds for a server's document to start loading, however long the test itself would wait. */
const MOST_LOADING_MS = 60_000;

type RequestTo<Do extends TestRequest['do']> = Extract<TestRequest, { do: Do }>;

/** Performs requests of test programs on the displayed page: successive browser contexts, with one page each. */
export class TestedPage {
	#context = '';

	constructor(
		private readonly preview: PreviewState,
		private readonly page: DisplayedPage,
		/** Rejects if no server listens on the port. */
		private readonly checkPort: (port: number, signal: AbortSignal) => Promise<void>
	) {}

	async answer<Do extends TestRequest['do']>(request: RequestTo<Do>, signal: AbortSignal): Promise<TestAnswers[Do]> {
		// Each branch returns what its request expects; the compiler cannot verify that for a generic type.
		return (await this.#answer(request, signal)) as TestAnswers[Do];
	}

	async #answer(request: TestRequest, signal: AbortSignal): Promise<TestAnswers[TestRequest['do']]> {
		switch (request.do) {
			case 'begin':
				await this.preview.show(null);
				this.preview.size = request.size;
				this.#context = request.context;
				return null;
			case 'go':
				return this.#go(request, signal);
			case 'reload':
				this.#served();
				return this.#loading(request.withinMs, signal, () => this.preview.reload());
			case 'settle':
				return this.#state(request.withinMs, signal, 0);
			case 'probe': {
				this.#served();
				const { probe, withinMs } = request;
				return this.page.ask({ method: 'probe', probe }, { withinMs: Math.max(withinMs, 1), signal });
			}
			case 'step':
				this.#served();
				await this.page.take(request.step, request.withinMs, signal);
				return null;
			case 'picture':
				return this.#picture(request, signal);
			case 'resize':
				this.preview.size = request.size;
				return null;
			case 'logs':
				return this.preview.log.since(request.since);
			case 'end':
				this.preview.size = null;
				await this.preview.show(null);
				return null;
		}
	}

	/** Refuses to use a page that a user or the agent has displayed meanwhile. */
	#served(): void {
		const { target } = this.preview;
		if (target?.kind !== 'port' || target.context !== this.#context)
			throw new PreviewError(
				target ? 'Something else is displayed in the preview now.' : 'The test has opened no page yet.'
			);
	}

	async #go({ port, url, withinMs }: RequestTo<'go'>, signal: AbortSignal): Promise<TestPageState> {
		await this.checkPort(port, signal);
		const { preview } = this;
		const address = addressOn(port, url);
		const { target, size, onGo } = preview;
		const isHere = target?.kind === 'port' && target.port === port && target.context === this.#context;
		if (isHere && onGo && preview.drivers.current) {
			const withoutFragment = (text: string): string => text.replace(/#.*$/s, '');
			const isFragment =
				address.includes('#') && withoutFragment(address) === withoutFragment(await this.#address(signal));
			if (isFragment) return this.#toFragment(address, withinMs, signal);
			return this.#loading(withinMs, signal, () => {
				preview.drivers.leave();
				onGo(address);
			});
		}
		return this.#loading(withinMs, signal, async () => {
			await preview.show({ kind: 'port', port, url: address, context: this.#context }, 'agent');
			preview.size = size;
		});
	}

	async #toFragment(address: string, withinMs: number, signal: AbortSignal): Promise<TestPageState> {
		const source = '(hash) => { location.hash = hash; }';
		const argument = JSON.stringify(address.slice(address.indexOf('#')));
		const probe = { kind: 'evaluate', source, argument, selector: null, on: 'page' } as const;
		await this.page.ask({ method: 'probe', probe }, { withinMs: ANSWER_MS, signal });
		return this.#state(withinMs, signal, 0);
	}

	async #address(signal: AbortSignal): Promise<string> {
		const driver = await this.page.driver(signal);
		const settled = { method: 'settle', quietMs: 0, withinMs: 0 } as const;
		return (await driver.request(settled, { withinMs: ANSWER_MS, signal })).address;
	}

	/** Performs an action that loads a document, and returns the state of the page. */
	async #loading(withinMs: number, signal: AbortSignal, begin: () => Promise<void> | void): Promise<TestPageState> {
		const { last } = this.preview.log.since(Infinity);
		await begin();
		return this.#state(withinMs, signal, last);
	}

	/** @param since entry of the log after which the document was requested */
	async #state(withinMs: number, signal: AbortSignal, since: number): Promise<TestPageState> {
		const within = Math.min(Math.max(withinMs, 1), MOST_LOADING_MS);
		const page = await this.page.rest(0, within, signal, within);
		return { ...page, status: this.#statusOf(page.address, since) };
	}

	#statusOf(address: string, since: number): number | null {
		const target = address.replace(/#.*$/s, '');
		const requests = this.preview.log.since(since).entries.filter(({ kind }) => kind === 'request');
		const answers = requests.map(({ text }) => /^[A-Z]+ (\S+) → (\d+)/.exec(text));
		const status = answers.find((answer) => answer?.[1] === target)?.[2];
		return status === undefined ? null : Number(status);
	}

	async #picture({ selector, isFull }: RequestTo<'picture'>, signal: AbortSignal): Promise<TestAnswers['picture']> {
		this.#served();
		const driver = await this.page.driver(signal);
		const { png, notes } = await driver.request(
			{ method: 'picture', selector, isFull },
			{ withinMs: PICTURE_MS, signal }
		);
		await checkedPicture(png);
		return { png: png.slice(png.indexOf(',') + 1), notes };
	}
}
