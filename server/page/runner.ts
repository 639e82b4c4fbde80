import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** The sandbox frame's document and the headers it requires. */
export interface Runner {
	html: string;
	headers: Record<string, string>;
	/** Required value of `?v=`; if absent, any `?v=` is served. */
	build?: string;
}

const headers = z.record(z.string().toLowerCase(), z.string());
const runnerHeaders = z.union([
	z.object({ build: z.string().optional(), headers }),
	headers.transform((plain) => ({ build: undefined, headers: plain }))
]);

/**
 * Reads `runner.html` and `runner-headers.json` (header names to values, or `{ build, headers }`), both written
 * by the page's build.
 * @throws Error with a readable message when they are missing or malformed
 */
export async function readRunner(folder: string): Promise<Runner> {
	try {
		const [html, json] = await Promise.all([
			readFile(path.join(folder, 'runner.html'), 'utf8'),
			readFile(path.join(folder, 'runner-headers.json'), 'utf8')
		]);
		return { html, ...runnerHeaders.parse(JSON.parse(json)) };
	} catch (cause) {
		throw new Error(
			`The sandbox frame is missing from the built page in ${folder} (runner.html, runner-headers.json). Run npm run build.`,
			{ cause }
		);
	}
}
