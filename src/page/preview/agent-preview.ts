import type { ExecutionEnvironment } from '#environment/contract.ts';
import {
	PreviewError,
	type PreviewActed,
	type PreviewAddress,
	type PreviewControl,
	type PreviewLogs,
	type PreviewMedia,
	type PreviewPage,
	type PreviewPicture,
	type PreviewShot,
	type PreviewSize,
	type PreviewSnapshot,
	type PreviewStep
} from '#environment/preview.ts';
import type { TestAnswers, TestRequest, TestStep } from '#environment/preview-testing.ts';
import { t } from '../strings/index.ts';
import { DisplayedPage } from './displayed-page.ts';
import type { PreviewState } from './preview-state.svelte.ts';
import { checkedPicture } from './checked-picture.ts';
import { filesFor } from './files-for-input.ts';
import { addressOn, opensWithin } from './ports.ts';
import { TestedPage } from './testing/tested-page.ts';
import type { PreviewTesting } from './testing/preview-testing.ts';

/** Time limit in milliseconds for a page to load and become idle after opening. */
const OPENING_MS = 20_000;
const LOADING_MS = 8_000;
/** Time limit in milliseconds for a server to start listening. */
const STARTING_MS = 5_000;
/** Milliseconds without changes after which a page counts as settled: after opening, and after a step. */
const REST_MS = 150;
const STEP_REST_MS = 50;
/** Milliseconds after which a page that never settles is inspected anyway. */
const MOST_REST_MS = 1_500;
/** Time limit in milliseconds for a step's element; an explicit wait may take longer. */
const STEP_MS = 5_000;
const WAIT_MS = 30_000;
const ANSWER_MS = 10_000;
/** Milliseconds after an answer during which the page's frame may still take the focus. */
const LATE_FOCUS_MS = 500;
const PICTURE_MS = 20_000;
/** Time limit in milliseconds for the layout in a new size. */
const SIZING_MS = 3_000;

/** Lets the agent use and inspect what the workbench's preview displays. */
export class AgentPreview implements PreviewControl, PreviewTesting {
	readonly #page: DisplayedPage;
	readonly #tested: TestedPage;

	/** @param isEnclosed see {@link PreviewControl.isEnclosed} */
	constructor(
		private readonly preview: PreviewState,
		private readonly environment: ExecutionEnvironment,
		/** Returns true if this page has an origin to display servers on. */
		private readonly hasOrigin: () => Promise<boolean>,
		readonly isEnclosed: boolean
	) {
		this.#page = new DisplayedPage(preview);
		this.#tested = new TestedPage(preview, this.#page, (port, signal) => this.#checkPort(port, signal));
	}

	async open({ target, url, size }: PreviewAddress, signal: AbortSignal): Promise<PreviewPage> {
		if ('port' in target) {
			await this.#checkPort(target.port, signal);
			await this.preview.show({ kind: 'port', port: target.port, url: addressOn(target.port, url) }, 'agent');
		} else await this.preview.show({ kind: 'document', path: target.path.replace(/^\.?\//, '') }, 'agent');
		this.preview.size = size ?? null;
		return this.#page.rest(REST_MS, LOADING_MS, signal, OPENING_MS);
	}

	async snapshot(selector: string | undefined, signal: AbortSignal): Promise<PreviewSnapshot> {
		await this.preview.takeChanges();
		return this.#look(REST_MS, selector ?? null, signal);
	}

	async act(steps: readonly PreviewStep[], signal: AbortSignal): Promise<PreviewActed> {
		await this.preview.takeChanges();
		return this.#withUsersFocus(() => this.#act(steps, signal));
	}

	async #act(steps: readonly PreviewStep[], signal: AbortSignal): Promise<PreviewActed> {
		let done = 0;
		let failure: string | undefined;
		for (const step of steps) {
			try {
				await this.#page.take(await this.#prepared(step), step.kind === 'wait_for' ? WAIT_MS : STEP_MS, signal);
				done++;
			} catch (error) {
				if (!(error instanceof PreviewError)) throw error;
				failure = error.message;
				break;
			}
		}
		const seen = await this.#look(STEP_REST_MS, null, signal);
		return { ...seen, done, ...(failure === undefined ? {} : { failure }) };
	}

	async evaluate(script: string, signal: AbortSignal): Promise<string> {
		await this.preview.takeChanges();
		const driver = await this.#page.driver(signal);
		const options = { withinMs: ANSWER_MS, signal };
		return this.#withUsersFocus(async () => (await driver.request({ method: 'evaluate', script }, options)).value);
	}

	async screenshot({ selector, isFull = false }: PreviewShot, signal: AbortSignal): Promise<PreviewPicture> {
		await this.preview.takeChanges();
		await this.#page.rest(REST_MS, MOST_REST_MS, signal);
		const driver = await this.#page.driver(signal);
		const request = { method: 'picture', selector: selector ?? null, isFull } as const;
		const { png: address, notes } = await driver.request(request, { withinMs: PICTURE_MS, signal });
		return { ...(await checkedPicture(address)), notes };
	}

	logs(since: number): PreviewLogs {
		return this.preview.log.since(since);
	}

	async resize(size: PreviewSize | null, signal: AbortSignal): Promise<void> {
		this.preview.size = size;
		const until = performance.now() + SIZING_MS;
		for (;;) {
			const page = await this.#page.rest(REST_MS, MOST_REST_MS, signal);
			if (size === null || (page.width === size.width && page.height === size.height)) return;
			if (performance.now() > until)
				throw new PreviewError(
					`The browser left the page at ${page.width}×${page.height}. Open it again, with the size in open.`
				);
		}
	}

	async emulate(media: PreviewMedia | null, signal: AbortSignal): Promise<PreviewPage> {
		await this.#page.driver(signal);
		this.preview.media = media;
		await this.preview.reload();
		return this.#page.rest(REST_MS, LOADING_MS, signal, OPENING_MS);
	}

	/** See {@link PreviewTesting}. */
	test<Do extends TestRequest['do']>(
		request: Extract<TestRequest, { do: Do }>,
		signal: AbortSignal
	): Promise<TestAnswers[Do]> {
		return this.#tested.answer(request, signal);
	}

	close(): Promise<void> {
		return this.preview.show(null);
	}

	/** Restores the focus afterwards, since the user may be typing: a page that is used takes it. */
	async #withUsersFocus<Result>(work: () => Promise<Result>): Promise<Result> {
		const focused = document.activeElement;
		try {
			return await work();
		} finally {
			const giveBack = (): void => {
				if (document.activeElement instanceof HTMLIFrameElement && focused instanceof HTMLElement) focused.focus();
			};
			giveBack();
			// An out-of-process frame may take it after its answer has arrived.
			const signal = AbortSignal.timeout(LATE_FOCUS_MS);
			addEventListener('blur', () => setTimeout(giveBack), { once: true, signal });
		}
	}

	/** Converts a step for the driver: replaces files by their content. */
	async #prepared(step: PreviewStep): Promise<TestStep> {
		if (step.kind !== 'upload') return step;
		return { kind: 'upload', on: step.on, files: await filesFor(step.paths, this.environment) };
	}

	/** Waits for a server that has just been started. */
	async #checkPort(port: number, signal: AbortSignal): Promise<void> {
		const { loopback } = this.environment;
		if (!loopback || !(await this.hasOrigin())) throw new PreviewError(t.preview.noOrigin);
		if (await opensWithin(loopback, port, STARTING_MS, signal)) return;
		const open = loopback.ports.map((each) => each.port).join(', ') || 'none';
		throw new PreviewError(`Nothing listens on port ${port}. Ports with a server: ${open}.`);
	}

	async #look(quietMs: number, selector: string | null, signal: AbortSignal): Promise<PreviewSnapshot> {
		const page = await this.#page.rest(quietMs, MOST_REST_MS, signal);
		const driver = await this.#page.driver(signal);
		const { tree } = await driver.request({ method: 'snapshot', selector }, { withinMs: ANSWER_MS, signal });
		return { ...page, tree };
	}
}
