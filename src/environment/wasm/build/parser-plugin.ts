import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, type Plugin } from 'vite';

const NAME = 'virtual:just-bash-parser';
const RESOLVED = `\0${NAME}`;
const WHOLE = 'virtual:just-bash-with-parser';

/**
 * just-bash's parser by itself. The package exports it only as a part of `Bash`, with all commands in tow:
 * a megabyte that each shell would evaluate before its first command. Here the bundle is given two exports
 * more, and the bundler drops whatever they do not need.
 */
export function justBashParser(): Plugin {
	return {
		name: 'sandglass:just-bash-parser',
		enforce: 'pre',
		resolveId: (source) => (source === NAME ? RESOLVED : null),
		load: async (id) => (id === RESOLVED ? { code: await (parser ??= extract()), moduleType: 'js' } : null)
	};
}

let parser: Promise<string> | undefined;

/** Functions without effects: esbuild's helpers at the head of the bundle, which wrap modules to be run later. */
const PURE_FUNCTIONS = ['L', 'Jo', 'ae', 'Vp', 'Object.create', 'Object.freeze', 'Object.defineProperty'];

async function extract(): Promise<string> {
	const entry = path.join(path.dirname(createRequire(import.meta.url).resolve('just-bash')), 'browser.js');
	const whole = withParser(await readFile(entry, 'utf8'));
	const output = await build({
		configFile: false,
		logLevel: 'warn',
		plugins: [
			{
				name: 'sandglass:just-bash-with-parser',
				enforce: 'pre',
				resolveId: (source) => (source === WHOLE ? WHOLE : null),
				load: (id) => (id === WHOLE ? { code: whole, moduleType: 'js' } : null)
			}
		],
		build: {
			write: false,
			target: 'es2023',
			minify: false,
			modulePreload: false,
			rolldownOptions: {
				input: WHOLE,
				preserveEntrySignatures: 'strict',
				external: ['diff', 'minimatch', 'node:zlib', 'sprintf-js', 'turndown'],
				treeshake: {
					moduleSideEffects: (id) => id === WHOLE,
					unknownGlobalSideEffects: false,
					propertyReadSideEffects: false,
					manualPureFunctions: PURE_FUNCTIONS
				},
				output: { format: 'es', codeSplitting: false }
			}
		}
	});
	const result = Array.isArray(output) ? output[0] : output;
	if (!result || !('output' in result)) throw new Error('just-bash gave no parser.');
	return result.output[0].code;
}

function withParser(source: string): string {
	const found =
		/transform\([\w$]+\)\{[\w$]+\([\w$]+,this\.limits\.maxSourceBytes\);let [\w$]+=(?<clean>[\w$]+)\([\w$]+\),[\w$]+=(?<parse>[\w$]+)\(/.exec(
			source
		);
	if (!found?.groups) throw new Error('just-bash has changed: its parser is not where it was.');
	const { clean, parse } = found.groups;
	const own = source.replace(/export\{[^}]*\};?/g, '');
	return `${own}\nexport const parse = (text) => ${parse}(${clean}(text), {});\n`;
}
