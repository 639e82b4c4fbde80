import { RUNNER_HEADERS } from './headers.ts';

/** Document that the server serves, with its headers. */
export interface FrameDocument {
	html: string;
	/** Exactly these headers, without the page's own policy. */
	headers: Record<string, string>;
}

/**
 * The document at `/runner`. `vite build` writes it to `dist/page/runner.html` and its headers to
 * `dist/page/runner-headers.json` (`{ build, headers }`); the server reads both at start. It is requested as
 * `/runner?v=<build>`, so it can be cached permanently.
 *
 * @param script `runner.ts`, bundled into one classic script
 * @param build id of the build; the page compares it with its own
 */
export function runnerDocument(script: string, build: string): FrameDocument {
	return { html: page(`globalThis.SANDGLASS_BUILD=${JSON.stringify(build)};${script}`), headers: RUNNER_HEADERS };
}

function page(script: string): string {
	// The only sequence that would end the script element early.
	const safe = script.replaceAll('</script', '<\\/script');
	return `<!doctype html><meta charset="utf-8"><title>Sandbox</title><script>${safe}</script>\n`;
}
