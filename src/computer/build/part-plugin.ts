import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Plugin } from 'vite';
import { resolveSuffix } from './suffix.ts';

const SUFFIX = '?part';

type Bundle = (entry: string, minify: boolean, name: string) => Promise<{ code: string; files: string[] }>;

/**
 * Makes `import source from './heavy.ts?part'` return that module, bundled with all its dependencies, as the text of a
 * function body that returns its exports: `new Function(source)()`. A program includes rarely used code as text, which
 * costs a worker's start next to nothing until it is evaluated.
 */
export function programParts(bundle: Bundle, minify: boolean | (() => boolean)): Plugin {
	return {
		name: 'sandglass:parts',
		enforce: 'pre',
		resolveId: resolveSuffix(SUFFIX),
		async load(id) {
			if (!id.endsWith(SUFFIX)) return null;
			const entry = id.slice(0, -SUFFIX.length);
			const { code, files } = await bundle(entry, typeof minify === 'boolean' ? minify : minify(), 'part');
			for (const file of files) this.addWatchFile(file);
			const hash = createHash('sha256').update(code).digest('hex').slice(0, 12);
			const address = `//# sourceURL=${path.basename(entry, '.ts')}-${hash}.js`;
			const text = JSON.stringify(`${code}\nreturn part;\n${address}`);
			return { code: `export default ${text};`, moduleType: 'js' };
		}
	};
}
