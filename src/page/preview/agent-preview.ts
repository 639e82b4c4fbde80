import type { ExecutionEnvironment, LocalServers } from '#environment/contract.ts';
import {
	PreviewError,
	type PreviewActed,
	type PreviewAddress,
	type PreviewControl,
	type PreviewLogs,
	type PreviewPage,
	type PreviewPicture,
	type PreviewShot,
	type PreviewSize,
	type PreviewSnapshot,
	type PreviewStep
} from '#environment/preview.ts';
import { t } from '../strings/index.ts';
import type { DriverConnection } from './driver/connection.ts';
import type { AnswerTo } from './driver/messages.ts';
import { bundlerOutput, type PreviewState } from './preview-state.svelte.ts';

/** Time for a page to load and become idle after it was opened. Milliseconds. */
const OPENING_MS = 20_000;
const LOADING_MS = 8_000;
/** Time for a server to start listening. Milliseconds. */
const STARTING_MS = 5_000;
/** A page counts as at rest when nothing changed in it for this long: after opening, and after a step. Milliseconds. */
const REST_MS = 150;
const STEP_REST_MS = 50;
/** A page that never rests is looked at all the same. Milliseconds. */
const MOST_REST_MS = 1_500;
/** Time a step waits for its element; an explicit wait may take longer. Milliseconds. */
const STEP_MS = 5_000;
const WAIT_MS = 30_000;
const ANSWER_MS = 10_000;
const PICTURE_MS = 20_000;
/** Allowance for answers of the page that are late themselves. Milliseconds. */
const MARGIN_MS = 2_000;
/** Documents that may follow each other while one is waited for: redirects by script, a form and its result. */
const MOST_DOCUMENTS = 5;
/** Steps that have done what they do when the page went elsewhere before it could answer. */
const MAY_LEAVE: ReadonlySet<PreviewStep['kind']> = new Set([
	'click',
	'press',
	'type',
	'select',
	'check',
	'uncheck',
	'drag'
]);

/** The agent's hands and eyes on what the workbench's preview displays. */
export class AgentPreview implements PreviewControl {
	/** @param isEnclosed see {@link PreviewControl.isEnclosed} */
	constructor(
		private readonly preview: PreviewState,
		private readonly environment: ExecutionEnvironment,
		/** Returns true if this page has an origin to display servers on. */
		private readonly hasOrigin: () => Promise<boolean>,
		readonly isEnclosed: boolean
	) {}

	async open({ target, url, size }: PreviewAddress, signal: AbortSignal): Promise<PreviewPage> {
		if ('port' in target) {
			await this.#checkPort(target.port, signal);
			await this.preview.show({ kind: 'port', port: target.port, url: addressOn(target.port, url) }, 'agent');
		} else await this.preview.show({ kind: 'document', path: target.path.replace(/^\.?\//, '') }, 'agent');
		this.preview.size = size ?? null;
		return this.#rest(REST_MS, LOADING_MS, signal, OPENING_MS);
	}

	async snapshot(selector: string | undefined, signal: AbortSignal): Promise<PreviewSnapshot> {
		await this.preview.takeChanges();
		return this.#look(REST_MS, selector ?? null, signal);
	}

	async act(steps: readonly PreviewStep[], signal: AbortSignal): Promise<PreviewActed> {
		await this.preview.takeChanges();
		const focused = document.activeElement;
		let done = 0;
		let failure: string | undefined;
		for (const step of steps) {
			try {
				await this.#take(step, signal);
				done++;
			} catch (error) {
				if (!(error instanceof PreviewError)) throw error;
				failure = error.message;
				break;
			}
		}
		const seen = await this.#look(STEP_REST_MS, null, signal);
		// A page that is used takes the keyboard's focus, which the user may be typing with.
		if (document.activeElement instanceof HTMLIFrameElement && focused instanceof HTMLElement) focused.focus();
		return { ...seen, done, ...(failure === undefined ? {} : { failure }) };
	}

	async evaluate(script: string, signal: AbortSignal): Promise<string> {
		await this.preview.takeChanges();
		const driver = await this.#driver(signal);
		return (await driver.request({ method: 'evaluate', script }, { withinMs: ANSWER_MS, signal })).value;
	}

	async screenshot({ selector, isFull = false }: PreviewShot, signal: AbortSignal): Promise<PreviewPicture> {
		await this.preview.takeChanges();
		await this.#rest(REST_MS, MOST_REST_MS, signal);
		const driver = await this.#driver(signal);
		const request = { method: 'picture', selector: selector ?? null, isFull } as const;
		const { png: address, notes } = await driver.request(request, { withinMs: PICTURE_MS, signal });
		return { ...(await checkedPicture(address)), notes };
	}

	logs(since: number): PreviewLogs {
		return this.preview.log.since(since);
	}

	async resize(size: PreviewSize | null, signal: AbortSignal): Promise<void> {
		this.preview.size = size;
		await this.#rest(REST_MS, MOST_REST_MS, signal);
	}

	close(): Promise<void> {
		return this.preview.show(null);
	}

	/** Waits for a server that has just been started. */
	async #checkPort(port: number, signal: AbortSignal): Promise<void> {
		const { loopback } = this.environment;
		if (!loopback || !(await this.hasOrigin())) throw new PreviewError(t.preview.noOrigin);
		if (await opensWithin(loopback, port, STARTING_MS, signal)) return;
		const open = loopback.ports.map((each) => each.port).join(', ') || 'none';
		throw new PreviewError(`Nothing listens on port ${port}. Ports with a server: ${open}.`);
	}

	/** The driver of what is displayed. Rejects with why nothing is. */
	#driver(signal: AbortSignal, withinMs = ANSWER_MS): Promise<DriverConnection> {
		const { target, failure } = this.preview;
		if (!target) throw new PreviewError('Nothing is displayed in the preview. Open a file or a port first.');
		if (failure !== null) throw new PreviewError(failureSentence(failure));
		return this.preview.drivers.connected(withinMs, signal);
	}

	/** Waits until the page rests, over the documents that follow each other meanwhile. */
	async #rest(quietMs: number, withinMs: number, signal: AbortSignal, connectMs?: number): Promise<AnswerTo<'settle'>> {
		for (let documents = 1; ; documents++) {
			const driver = await this.#driver(signal, connectMs);
			try {
				const page = await driver.request(
					{ method: 'settle', quietMs, withinMs },
					{ withinMs: withinMs + MARGIN_MS, signal }
				);
				await this.preview.moved;
				if (driver === this.preview.drivers.current) return { ...page, address: page.address || this.preview.address };
			} catch (error) {
				const wentElsewhere = driver !== this.preview.drivers.current;
				if (!(error instanceof PreviewError) || !wentElsewhere || documents >= MOST_DOCUMENTS) throw error;
			}
			if (documents >= MOST_DOCUMENTS)
				throw new PreviewError('The page goes from one address to the next without rest.');
		}
	}

	async #look(quietMs: number, selector: string | null, signal: AbortSignal): Promise<PreviewSnapshot> {
		const page = await this.#rest(quietMs, MOST_REST_MS, signal);
		const driver = await this.#driver(signal);
		const { tree } = await driver.request({ method: 'snapshot', selector }, { withinMs: ANSWER_MS, signal });
		return { ...page, tree };
	}

	async #take(step: PreviewStep, signal: AbortSignal): Promise<void> {
		const withinMs = step.kind === 'wait_for' ? WAIT_MS : STEP_MS;
		for (let documents = 1; ; documents++) {
			const driver = await this.#driver(signal);
			try {
				await driver.request({ method: 'step', step, withinMs }, { withinMs: withinMs + MARGIN_MS, signal });
				break;
			} catch (error) {
				const wentElsewhere = driver !== this.preview.drivers.current;
				if (!(error instanceof PreviewError) || !wentElsewhere || documents >= MOST_DOCUMENTS) throw error;
				if (MAY_LEAVE.has(step.kind)) break;
			}
		}
		// The next step is for the page that this one leads to.
		await this.#rest(0, LOADING_MS, signal);
	}
}

/** The picture in an address that a page made up, if it is one that the browser reads. */
async function checkedPicture(address: string): Promise<Omit<PreviewPicture, 'notes'>> {
	const png = Uint8Array.from(atob(address.slice(address.indexOf(',') + 1)), (character) => character.charCodeAt(0));
	const bitmap = await createImageBitmap(new Blob([png], { type: 'image/png' })).catch(() => null);
	if (!bitmap) throw new PreviewError('The browser could not draw the page. Take a snapshot instead.');
	const { width, height } = bitmap;
	bitmap.close();
	return { png, width, height };
}

/** Resolves to true if a server listens on the port within the time. */
function opensWithin(servers: LocalServers, port: number, withinMs: number, signal: AbortSignal): Promise<boolean> {
	const isOpen = (): boolean => servers.ports.some((each) => each.port === port);
	if (isOpen()) return Promise.resolve(true);
	return new Promise((resolve, reject) => {
		const end = (): void => {
			leave();
			clearTimeout(timer);
			signal.removeEventListener('abort', stop);
		};
		const stop = (): void => {
			end();
			reject(signal.reason as Error);
		};
		const leave = servers.onPorts(() => {
			if (!isOpen()) return;
			end();
			resolve(true);
		});
		const timer = setTimeout(() => {
			end();
			resolve(false);
		}, withinMs);
		signal.addEventListener('abort', stop);
	});
}

/** Path and query on the server, whatever form the address has. */
function addressOn(port: number, url = '/'): string {
	const base = `http://localhost:${port}`;
	if (!URL.canParse(url, base)) throw new PreviewError(`${url} is no address. Give a path such as /about?tab=1.`);
	const { pathname, search, hash } = new URL(url, base);
	return pathname + search + hash;
}

function failureSentence(failure: unknown): string {
	const output = bundlerOutput(failure);
	const message = failure instanceof Error ? failure.message : String(failure);
	return output === '' ? message : `${message}\n${output}`;
}
