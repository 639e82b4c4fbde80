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
import type { TestAnswers, TestRequest } from '#environment/preview-testing.ts';
import type { PreviewTesting } from './testing/preview-testing.ts';

type AttachedPreview = PreviewControl & PreviewTesting;

/** First version of Chromium that blocks all network access of a document with `Connection-Allowlist`. */
const ENCLOSING_CHROMIUM = 152;
const MOUNTING_MS = 20_000;

/** A project's preview for the agent, before the workbench has created one: the first `open` requests it. */
export class ProjectPreview implements PreviewControl, PreviewTesting {
	readonly isEnclosed = isEnclosing();
	/** Counts how often the agent opened a page; the workbench displays the preview each time. */
	openings = $state(0);
	/** True while the agent has a page open: it then has a layout even if another surface is in front. */
	isOpen = $state(false);
	#control: AttachedPreview | null = null;
	#display: ((port: number) => boolean) | null = null;
	#hasDisplayed = false;
	readonly #waiting = new Set<(control: AttachedPreview) => void>();

	/** @param hasOrigin returns true if this page has an origin to display servers on */
	constructor(private readonly hasOrigin: () => Promise<boolean>) {}

	/**
	 * Sets the function that displays servers automatically; the returned function removes it.
	 * @param display returns false if the user is viewing something else
	 */
	displayWith(display: (port: number) => boolean): () => void {
		this.#display = display;
		return () => (this.#display = null);
	}

	/** Displays the first server of a session; later ones are opened by the user. */
	async offer(port: number): Promise<boolean> {
		if (this.isOpen || this.#hasDisplayed || !(await this.hasOrigin())) return false;
		this.#hasDisplayed = this.#display?.(port) ?? false;
		return this.#hasDisplayed;
	}

	/** Attaches the workbench's preview; the returned function detaches it. */
	attach(control: AttachedPreview): () => void {
		this.#control = control;
		for (const take of this.#waiting) take(control);
		this.#waiting.clear();
		return () => {
			this.#control = null;
			this.isOpen = false;
		};
	}

	async open(address: PreviewAddress, signal: AbortSignal): Promise<PreviewPage> {
		this.openings++;
		this.isOpen = true;
		const control = this.#control ?? (await this.#mounted(signal));
		signal.throwIfAborted();
		return control.open(address, signal);
	}

	async snapshot(selector: string | undefined, signal: AbortSignal): Promise<PreviewSnapshot> {
		return this.#opened().snapshot(selector, signal);
	}

	async act(steps: readonly PreviewStep[], signal: AbortSignal): Promise<PreviewActed> {
		return this.#opened().act(steps, signal);
	}

	async evaluate(script: string, signal: AbortSignal): Promise<string> {
		return this.#opened().evaluate(script, signal);
	}

	async screenshot(what: PreviewShot, signal: AbortSignal): Promise<PreviewPicture> {
		return this.#opened().screenshot(what, signal);
	}

	logs(since: number): PreviewLogs {
		return this.#control?.logs(since) ?? { entries: [], last: 0 };
	}

	async resize(size: PreviewSize | null, signal: AbortSignal): Promise<void> {
		return this.#opened().resize(size, signal);
	}

	async emulate(media: PreviewMedia | null, signal: AbortSignal): Promise<PreviewPage> {
		return this.#opened().emulate(media, signal);
	}

	async close(): Promise<void> {
		this.isOpen = false;
		await this.#control?.close();
	}

	/** Displays the preview when a test opens a page; `end` restores the previous state. */
	async test<Do extends TestRequest['do']>(
		request: Extract<TestRequest, { do: Do }>,
		signal: AbortSignal
	): Promise<TestAnswers[Do]> {
		if (request.do === 'begin' && !this.isOpen) this.openings++;
		this.isOpen = request.do !== 'end';
		const control = this.#control ?? (await this.#mounted(signal));
		return control.test(request, signal);
	}

	/** Waits for the workbench's preview, which is about to be created. */
	#mounted(signal: AbortSignal): Promise<AttachedPreview> {
		return new Promise((resolve, reject) => {
			const end = (): void => {
				clearTimeout(timer);
				signal.removeEventListener('abort', stop);
				this.#waiting.delete(take);
			};
			const take = (control: AttachedPreview): void => {
				end();
				resolve(control);
			};
			const stop = (): void => {
				end();
				reject(signal.reason as Error);
			};
			const timer = setTimeout(() => {
				end();
				reject(new PreviewError('The page has no room for a preview now.'));
			}, MOUNTING_MS);
			signal.addEventListener('abort', stop);
			this.#waiting.add(take);
		});
	}

	#opened(): AttachedPreview {
		if (!this.#control) throw new PreviewError('Nothing is displayed in the preview. Open a file or a port first.');
		// A page that the user opened needs a layout too while the agent inspects it.
		this.isOpen = true;
		return this.#control;
	}
}

interface BrandData {
	brands: { brand: string; version: string }[];
}

function isEnclosing(): boolean {
	const data = (navigator as { userAgentData?: BrandData }).userAgentData;
	const version = data?.brands.find(({ brand }) => brand === 'Chromium')?.version;
	return Number(version ?? 0) >= ENCLOSING_CHROMIUM;
}
