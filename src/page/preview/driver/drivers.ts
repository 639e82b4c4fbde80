import { PreviewError } from '#environment/preview.ts';
import { bootScript } from './boot.ts';
import { DriverConnection } from './connection.ts';
import { driverCode } from './code.ts';

/** Keys to keep for documents that have not reported yet; older ones were never displayed. */
const MOST_KEYS = 50;

/**
 * Drivers of the documents that a preview successively displays. A genuine driver is authenticated by a key, valid for
 * one port, which exists only in the text of the document's first script.
 */
export class Drivers {
	readonly #keys = new Set<string>();
	readonly #waiting = new Set<{ take(driver: DriverConnection): void; fail(error: Error): void }>();
	#current: DriverConnection | null = null;

	/** @param loadCode see {@link DriverConnection} */
	constructor(private readonly loadCode: typeof driverCode = driverCode) {}

	/** Driver of the displayed document; `null` before its first message. */
	get current(): DriverConnection | null {
		return this.#current;
	}

	/** First script of a document that is about to be displayed. */
	script(isDriven: boolean): string {
		const key = crypto.randomUUID();
		this.#keys.add(key);
		const [oldest] = this.#keys;
		if (this.#keys.size > MOST_KEYS && oldest !== undefined) this.#keys.delete(oldest);
		return bootScript(key, isDriven);
	}

	/** Accepts a port that a document offered; ignores it if the key is unknown or already used. */
	offer(key: string, port: MessagePort): void {
		if (!this.#keys.delete(key)) return port.close();
		this.#current?.end('The page went to another address meanwhile. Take a snapshot to see what is there now.');
		this.#current = new DriverConnection(port, this.loadCode);
		for (const { take } of this.#waiting) take(this.#current);
	}

	/** Called when something else is about to be displayed. */
	leave(): void {
		this.#current?.end('The preview shows something else now.');
		this.#current = null;
	}

	/** Called when nothing can be displayed here. @param why a sentence */
	refuse(why: string): void {
		for (const { fail } of this.#waiting) fail(new PreviewError(why));
	}

	/**
	 * Waits for the driver of the displayed document, or of the next one, within the time limit. Rejects with {@link
	 * PreviewError}.
	 */
	connected(withinMs: number, signal?: AbortSignal): Promise<DriverConnection> {
		if (this.#current) return Promise.resolve(this.#current);
		return new Promise((resolve, reject) => {
			const stop = (): void => fail(signal?.reason);
			const end = (): void => {
				clearTimeout(timer);
				this.#waiting.delete(waiting);
				signal?.removeEventListener('abort', stop);
			};
			const fail = (error: unknown): void => {
				end();
				reject(error instanceof Error ? error : new Error(String(error)));
			};
			const waiting = {
				fail,
				take: (driver: DriverConnection): void => {
					end();
					resolve(driver);
				}
			};
			const late = `Nothing was displayed within ${Math.round(withinMs / 1000)} s. Look at the logs, and at whether the server answers.`;
			const timer = setTimeout(() => fail(new PreviewError(late)), withinMs);
			signal?.addEventListener('abort', stop);
			this.#waiting.add(waiting);
		});
	}
}
