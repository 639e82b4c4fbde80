import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';
import { madeAssets } from './asset-plugin.ts';

/**
 * Makes `import url from 'virtual:typescript-compiler'` return the URL of the compiler's script, and
 * `'virtual:typescript-libraries'` that of its `lib.*.d.ts`, file name → text. Both are files of the page, fetched when
 * `tsc` is first called.
 */
export function typescriptAssets(): Plugin {
	return madeAssets('sandglass:typescript', {
		'virtual:typescript-compiler': { served: '/@asset/typescript.js', type: 'text/javascript', load: compiler },
		'virtual:typescript-libraries': {
			served: '/@asset/typescript-libraries.json',
			type: 'application/json',
			load: libraries
		}
	});
}

const directory = () => path.dirname(createRequire(import.meta.url).resolve('typescript'));

function compiler(): Promise<string> {
	return readFile(path.join(directory(), 'typescript.js'), 'utf8');
}

async function libraries(): Promise<string> {
	const names = (await readdir(directory())).filter((name) => /^lib\..*d\.ts$|^lib\.d\.ts$/.test(name));
	const texts = await Promise.all(
		names.map(async (name) => [name, await readFile(path.join(directory(), name), 'utf8')] as const)
	);
	return JSON.stringify(Object.fromEntries(texts));
}
