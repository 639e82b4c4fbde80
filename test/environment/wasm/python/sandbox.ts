import pyodide from 'pyodide/pyodide.asm.wasm?url';
import snapshot from 'virtual:python-snapshot';
import library from 'virtual:python-library';
import nodeUrl from '../../../../src/environment/wasm/node/main.ts?program';
import pythonUrl from '../../../../src/environment/wasm/python/main.ts?program';
import shellUrl from '../../../../src/environment/wasm/shell/main.ts?program';
import { LIBRARY, SNAPSHOT } from '../../../../src/environment/wasm/python/settings.ts';
import { PROGRAMS } from '../../../../src/environment/wasm/program-table.ts';
import { sandboxInPage } from '../in-page.ts';

/** A sandbox with a shell and Python. `egress` answers its requests. */
export function pythonSandbox(egress?: Parameters<typeof sandboxInPage>[3]) {
	return sandboxInPage(
		[
			{ ...PROGRAMS.shell, url: shellUrl },
			{ ...PROGRAMS.node, url: nodeUrl },
			{ ...PROGRAMS.python, url: pythonUrl }
		],
		{ 'pyodide.asm.wasm': pyodide, [LIBRARY]: library, [SNAPSHOT]: snapshot },
		'shared',
		egress
	);
}
