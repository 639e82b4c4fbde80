import type { Plugin } from 'vite';

/** Resolves `./module.ts<suffix>` like `./module.ts`, and keeps the suffix in the id for the plugin that loads it. */
export function resolveSuffix(suffix: string): Extract<Plugin['resolveId'], (...args: never[]) => unknown> {
	return async function (source, importer) {
		if (!source.endsWith(suffix)) return null;
		const resolved = await this.resolve(source.slice(0, -suffix.length), importer, { skipSelf: true });
		return resolved ? resolved.id + suffix : null;
	};
}
