import { existsSync } from 'node:fs';
import path from 'node:path';

/** A browser other than Chromium, with one window. */
export interface Engine {
	/** Loads `url` and resolves after the page's `load` event. */
	open(url: string): Promise<void>;
	/**
	 * Runs `run` in the page and resolves with its result, as JSON. It can only use `args`, nothing else in this file.
	 *
	 * @throws Error with the message of the page's error
	 */
	evaluate<Args extends unknown[], Result>(
		run: (...args: Args) => Result | Promise<Result>,
		...args: Args
	): Promise<Result>;
	/** Ends the browser and deletes its profile. */
	close(): Promise<void>;
}

/** The first program of that name on the path, or `undefined`. */
export function findProgram(name: string, besides: string[] = []): string | undefined {
	const places = (process.env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, name));
	return [...places, ...besides].find((file) => existsSync(file));
}

/** Body of an async function that takes a JSON text and returns `{ value }` or `{ error }` as JSON. */
export function inPage(run: (...args: never[]) => unknown): string {
	return `
		try {
			const value = await (${String(run)})(...JSON.parse(given));
			return JSON.stringify({ value: value === undefined ? null : value });
		} catch (error) {
			return JSON.stringify({ error: String(error) + (error && error.stack ? '\\n' + error.stack : '') });
		}`;
}

/** @throws Error with the message of the page's error */
export function fromPage<Result>(text: string): Result {
	const outcome = JSON.parse(text) as { value: Result } | { error: string };
	if ('error' in outcome) throw new Error(`In the page: ${outcome.error}`);
	return outcome.value;
}

/** Repeats `look` until it returns a value. @throws Error naming `what`, after `ms` */
export async function eventually<Value>(what: string, ms: number, look: () => Promise<Value | null>): Promise<Value> {
	const end = Date.now() + ms;
	for (;;) {
		const value = await look();
		if (value !== null) return value;
		if (Date.now() > end) throw new Error(`Waited ${ms} ms in vain for ${what}.`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

/** Kills leftovers of a test run when it is itself ended. */
export function endWithUs(kill: () => void): void {
	process.once('exit', kill);
}
