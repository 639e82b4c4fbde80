import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

const NAME = 'virtual:playwright-injected';
const SERVED = '/@asset/playwright-injected.js';
/** Marks the source of playwright-core's injected script in its bundle. */
const MARK = '// packages/playwright-core/src/generated/injectedScriptSource.ts';

/**
 * `import url from 'virtual:playwright-injected'` returns the URL of the script that Playwright injects into pages
 * (Apache-2.0), a CommonJS module. The package contains it as a string inside its bundle and does not export it.
 */
export function playwrightInjected(): Plugin {
	let building = false;
	return {
		name: 'sandglass:playwright-injected',
		configResolved(config) {
			building = config.command === 'build';
		},
		resolveId: (source) => (source === NAME ? `\0${NAME}` : null),
		load(id) {
			if (id !== `\0${NAME}`) return null;
			if (!building) return `export default ${JSON.stringify(SERVED)};`;
			const reference = this.emitFile({ type: 'asset', name: 'playwright-injected.js', source: injectedScript() });
			return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
		},
		configureServer(server) {
			server.middlewares.use((request, response, next) => {
				if ((request.url ?? '').split('?')[0] !== SERVED) return next();
				response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
				response.end(injectedScript());
			});
		}
	};
}

/** @throws Error if the package no longer has it there */
export function injectedScript(): string {
	const bundle = readFileSync(createRequire(import.meta.url).resolve('playwright-core/lib/coreBundle'), 'utf8');
	const start = bundle.indexOf(MARK);
	const literal = /\n\s*\w+ = '((?:[^'\\\n]|\\.)*)';/.exec(
		start < 0 ? '' : bundle.slice(start, start + 2_000_000)
	)?.[1];
	if (literal === undefined) throw new Error('playwright-core has no script for pages where it is looked for.');
	return NOTICE + unescaped(literal);
}

const NOTICE =
	'/* From playwright-core. Copyright (c) Microsoft Corporation. Licensed under the Apache License 2.0: https://www.apache.org/licenses/LICENSE-2.0 */\n';
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', 0: '\0' };

/** Decodes a JavaScript string literal. */
function unescaped(literal: string): string {
	return literal.replace(/\\(?:u([\da-f]{4})|x([\da-f]{2})|(.))/gi, (_, unicode?: string, hex?: string, sign = '') => {
		const code = unicode ?? hex;
		return code === undefined ? (ESCAPES[sign] ?? sign) : String.fromCharCode(parseInt(code, 16));
	});
}
