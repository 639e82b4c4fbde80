import { PreviewError } from '#environment/preview.ts';
import type { TestStep } from '#environment/preview-testing.ts';
import type { DriverConnection, RequestOptions } from './driver/connection.ts';
import type { AnswerTo, DriverRequest } from './driver/messages.ts';
import { bundlerOutput, type PreviewState } from './preview-state.svelte.ts';

const ANSWER_MS = 10_000;
const LOADING_MS = 8_000;
/** Allowance for answers of the page that are late themselves. Milliseconds. */
const MARGIN_MS = 2_000;
/** Documents that may follow each other while one is waited for: redirects by script, a form and its result. */
const MOST_DOCUMENTS = 5;
/** Steps that have done what they do when the page went elsewhere before it could answer. */
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

/** The displayed page, over the documents that follow each other in it. */
export class DisplayedPage {
	constructor(private readonly preview: PreviewState) {}

	/** The driver of what is displayed. Rejects with why nothing is. */
	driver(signal: AbortSignal, withinMs = ANSWER_MS): Promise<DriverConnection> {
		const { target, failure } = this.preview;
		if (!target) throw new PreviewError('Nothing is displayed in the preview. Open a file or a port first.');
		if (failure !== null) throw new PreviewError(failureSentence(failure));
		return this.preview.drivers.connected(withinMs, signal);
	}

	/** Waits until the page rests, over the documents that follow each other meanwhile. */
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

	/** Takes one step, waiting for its element, and lets the page go where it leads. */
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
		// The next step is for the page that this one leads to.
		await this.rest(0, LOADING_MS, signal);
	}

	/** Asks something that changes nothing, of the next document too if this one goes meanwhile. */
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

	/** Throws what went wrong unless the reason is that the page went elsewhere. */
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
