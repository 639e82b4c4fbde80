import { existsSync } from 'node:fs';
import path from 'node:path';

/** A browser other than Chromium, with one window. */
export interface Engine {
	/** Loads `url` and resolves when the page's `load` has passed. */
	open(url: string): Promise<void>;
	/**
	 * Runs `run` in the page and resolves with what it returns, through JSON. It sees nothing of this file but `args`.
	 *
	 * @throws Error with what the page threw
	 */
	evaluate<Args extends unknown[], Result>(
		run: (...args: Args) => Result | Promise<Result>,
		...args: Args
	): Promise<Result>;
	/** Ends the browser and forgets its profile. */
	close(): Promise<void>;
}

/** The first program of that name on the path, or `undefined`. */
export function findProgram(name: string, besides: string[] = []): string | undefined {
	const places = (process.env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, name));
	return [...places, ...besides].find((file) => existsSync(file));
}

/** The body of an async function of one JSON text, which returns `{ value }` or `{ error }` as JSON. */
export function inPage(run: (...args: never[]) => unknown): string {
	return `
		try {
			const value = await (${String(run)})(...JSON.parse(given));
			return JSON.stringify({ value: value === undefined ? null : value });
		} catch (error) {
			return JSON.stringify({ error: String(error) + (error && error.stack ? '\\n' + error.stack : '') });
		}`;
}

/** @throws Error with what the page threw */
export function fromPage<Result>(text: string): Result {
	const outcome = JSON.parse(text) as { value: Result } | { error: string };
	if ('error' in outcome) throw new Error(`In the page: ${outcome.error}`);
	return outcome.value;
}

/** Asks again until `look` gives something. @throws Error naming `what`, after `ms` */
export async function eventually<Value>(what: string, ms: number, look: () => Promise<Value | null>): Promise<Value> {
	const end = Date.now() + ms;
	for (;;) {
		const value = await look();
		if (value !== null) return value;
		if (Date.now() > end) throw new Error(`Waited ${ms} ms in vain for ${what}.`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

/** Ends what a test run leaves when it is itself ended. */
export function endWithUs(kill: () => void): void {
	process.once('exit', kill);
}
