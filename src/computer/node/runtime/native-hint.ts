import { insteadOf } from '#computer/process/native-packages.ts';

/** Names of packages' parts for each kind of processor, and of files with native code. */
const PART = /(linux|darwin|win32)[-.](x64|arm64)|-wasm32(-|$)|\.node$/;
/** Message of native addon loaders if the addon is missing. */
const NO_ADDON = /Could not locate the bindings file|No native build was found|is a native addon/;
const OWNER = /.*\/node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//;

/**
 * Explains which package's native part caused a failure, and what to do: the package itself usually advises
 * reinstalling it. Empty for other errors.
 */
export function nativeHint(error: unknown): string {
	const seen = new Set<unknown>();
	for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
		seen.add(at);
		if (typeof SharedArrayBuffer === 'undefined' && at.message.includes('SharedArrayBuffer')) {
			const older = /\/node_modules\/(rolldown|vite)\//.test(String((error as Error).stack))
				? ' Vite 7 does without.'
				: '';
			return `\nIts WebAssembly shares memory between threads, which this browser does not let a page do. Take one that does: Chrome, Edge or Firefox.${older}\n`;
		}
		const missing = /Cannot find (?:module|package) '([^']+)'/.exec(at.message)?.[1];
		if (!(missing !== undefined && PART.test(missing)) && !NO_ADDON.test(at.message)) continue;
		const asked = /\n- (.*)/.exec(at.message)?.[1] ?? '';
		const name = (OWNER.exec(asked) ??
			OWNER.exec(at.message) ??
			OWNER.exec(at.stack?.replaceAll(/\(|\)/g, '') ?? ''))?.[1];
		if (name === undefined) continue;
		const instead = insteadOf(name) ?? 'Look for a package made of JavaScript or WebAssembly.';
		return `\n${name} needs native code, which cannot run in a browser tab. ${instead}\n`;
	}
	return '';
}
