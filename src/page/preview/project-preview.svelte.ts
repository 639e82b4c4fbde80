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

/**
 * The preview of a project as its agent reaches it, before the workbench has made one: the first `open` asks for it.
 */
export class ProjectPreview implements PreviewControl, PreviewTesting {
	readonly isEnclosed = isEnclosing();
	/** Counts the agent's openings; the workbench displays the preview at each. */
	openings = $state(0);
	/** Set while the agent has a page open: then it is laid out even if another surface is in front. */
	isOpen = $state(false);
	#control: AttachedPreview | null = null;
	#display: ((port: number) => boolean) | null = null;
	#hasDisplayed = false;
	readonly #waiting = new Set<(control: AttachedPreview) => void>();

	/** @param hasOrigin returns true if this page has an origin to display servers on */
	constructor(private readonly hasOrigin: () => Promise<boolean>) {}

	/**
	 * Sets what displays a server by itself; the returned function takes it back.
	 * @param display returns false if the user looks at something else
	 */
	displayWith(display: (port: number) => boolean): () => void {
		this.#display = display;
		return () => (this.#display = null);
	}

	/** The first server of a session is displayed; later ones are the user's to open. */
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

	/** Displays the preview when a test's page is opened; `end` gives it back. */
	async test<Do extends TestRequest['do']>(
		request: Extract<TestRequest, { do: Do }>,
		signal: AbortSignal
	): Promise<TestAnswers[Do]> {
		if (request.do === 'begin' && !this.isOpen) this.openings++;
		this.isOpen = request.do !== 'end';
		const control = this.#control ?? (await this.#mounted(signal));
		return control.test(request, signal);
	}

	/** The workbench's preview, which is about to be made. */
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
		// Who looks at what the user displayed needs it laid out too.
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
