import pyodide from 'pyodide/pyodide.asm.wasm?url';
import snapshot from 'virtual:python-snapshot';
import library from 'virtual:python-library';
import nodeUrl from '../../../../src/environment/wasm/node/main.ts?program';
import pythonUrl from '../../../../src/environment/wasm/python/main.ts?program';
import shellUrl from '../../../../src/environment/wasm/shell/main.ts?program';
import { LIBRARY, SNAPSHOT } from '../../../../src/environment/wasm/python/settings.ts';
import { sandboxInPage } from '../in-page.ts';

/** A sandbox with a shell and Python. `egress` answers its requests. */
export function pythonSandbox(egress?: Parameters<typeof sandboxInPage>[3]) {
	return sandboxInPage(
		[
			{ name: 'shell', commands: ['bash', 'sh'], hot: true, url: shellUrl },
			{ name: 'node', commands: ['node'], hot: false, url: nodeUrl },
			{
				name: 'python',
				commands: ['python3', 'python', 'pip', 'pytest', 'sqlite3'],
				hot: 'after use',
				prepare: { modules: ['pyodide.asm.wasm'], files: [LIBRARY, SNAPSHOT] },
				url: pythonUrl
			}
		],
		{ 'pyodide.asm.wasm': pyodide, [LIBRARY]: library, [SNAPSHOT]: snapshot },
		'shared',
		egress
	);
}
