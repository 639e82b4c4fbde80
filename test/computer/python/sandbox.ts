import pyodide from 'pyodide/pyodide.asm.wasm?url';
import snapshot from 'virtual:python-snapshot';
import library from 'virtual:python-library';
import zoneinfo from 'virtual:zoneinfo';
import { ZONE_ARCHIVE } from '#computer/abi/time-zones.ts';
import nodeUrl from '#computer/node/main.ts?program';
import pythonUrl from '#computer/python/main.ts?program';
import shellUrl from '#computer/shell/main.ts?program';
import { LIBRARY, SNAPSHOT } from '#computer/python/settings.ts';
import { PROGRAMS } from '#computer/program-table.ts';
import { sandboxInPage } from '../in-page.ts';

/** A sandbox with a shell and Python. `egress` answers its requests. */
export function pythonSandbox(egress?: Parameters<typeof sandboxInPage>[3]) {
	return sandboxInPage(
		[
			{ ...PROGRAMS.shell, url: shellUrl },
			{ ...PROGRAMS.node, url: nodeUrl },
			{ ...PROGRAMS.python, url: pythonUrl }
		],
		{ 'pyodide.asm.wasm': pyodide, [LIBRARY]: library, [SNAPSHOT]: snapshot, [ZONE_ARCHIVE]: zoneinfo },
		'shared',
		egress
	);
}
