import { PreviewError } from '#environment/preview.ts';
import type { TestStep } from '#environment/preview-testing.ts';
import type { DriverConnection, RequestOptions } from './driver/connection.ts';
import type { AnswerTo, DriverRequest } from './driver/messages.ts';
import { bundlerOutput, type PreviewState } from './preview-state.svelte.ts';

const ANSWER_MS = 10_000;
const LOADING_MS = 8_000;
/** Allowance in milliseconds for late answers of the page. */
const MARGIN_MS = 2_000;
/** Maximum successive documents while waiting: redirects by script, a form and its result. */
const MOST_DOCUMENTS = 5;
/** Steps that count as done if the page navigated before it could answer. */
const MAY_LEAVE: ReadonlySet<TestStep['kind']> = new Set([
	'click',
	'press',
	'type',
	'select',
	'check',
	'uncheck',
	'drag',
	'upload'
]);

/** The displayed page, across navigations between documents. */
export class DisplayedPage {
	constructor(private readonly preview: PreviewState) {}

	/** Driver of the displayed document. Rejects with the reason if there is none. */
	driver(signal: AbortSignal, withinMs = ANSWER_MS): Promise<DriverConnection> {
		const { target, failure } = this.preview;
		if (!target) throw new PreviewError('Nothing is displayed in the preview. Open a file or a port first.');
		if (failure !== null) throw new PreviewError(failureSentence(failure));
		return this.preview.drivers.connected(withinMs, signal);
	}

	/** Waits until the page settles, across navigations. */
	async rest(quietMs: number, withinMs: number, signal: AbortSignal, connectMs?: number): Promise<AnswerTo<'settle'>> {
		for (let documents = 1; ; documents++) {
			const driver = await this.driver(signal, connectMs);
			try {
				const page = await driver.request(
					{ method: 'settle', quietMs, withinMs },
					{ withinMs: withinMs + MARGIN_MS, signal }
				);
				await this.preview.moved;
				if (driver === this.preview.drivers.current) return { ...page, address: page.address || this.preview.address };
			} catch (error) {
				this.#throwUnlessGone(error, driver, documents);
			}
			if (documents >= MOST_DOCUMENTS)
				throw new PreviewError('The page goes from one address to the next without rest.');
		}
	}

	/** Performs one step, waiting for its element, and follows a navigation that it causes. */
	async take(step: TestStep, withinMs: number, signal: AbortSignal): Promise<void> {
		for (let documents = 1; ; documents++) {
			const driver = await this.driver(signal);
			try {
				await driver.request({ method: 'step', step, withinMs }, { withinMs: withinMs + MARGIN_MS, signal });
				break;
			} catch (error) {
				this.#throwUnlessGone(error, driver, documents);
				if (MAY_LEAVE.has(step.kind)) break;
			}
		}
		// The next step applies to the page that this one leads to.
		await this.rest(0, LOADING_MS, signal);
	}

	/** Sends a request without side effects; repeats it for the next document if the page navigates meanwhile. */
	async ask<Method extends DriverRequest['method']>(
		request: Extract<DriverRequest, { method: Method }>,
		options: RequestOptions & { signal: AbortSignal }
	): Promise<AnswerTo<Method>> {
		for (let documents = 1; ; documents++) {
			const driver = await this.driver(options.signal, options.withinMs);
			try {
				return await driver.request(request, options);
			} catch (error) {
				this.#throwUnlessGone(error, driver, documents);
			}
		}
	}

	/** Rethrows an error unless a navigation caused it. */
	#throwUnlessGone(error: unknown, driver: DriverConnection, documents: number): void {
		const wentElsewhere = driver !== this.preview.drivers.current;
		if (!(error instanceof PreviewError) || !wentElsewhere || documents >= MOST_DOCUMENTS) throw error;
	}
}

function failureSentence(failure: unknown): string {
	const output = bundlerOutput(failure);
	const message = failure instanceof Error ? failure.message : String(failure);
	return output === '' ? message : `${message}\n${output}`;
}
