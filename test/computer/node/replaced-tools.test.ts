import { expect, it } from 'vitest';
import { replacedTool } from '#computer/node/replaced-tools.ts';
import type { ProcessContext } from '#computer/process/program.ts';

const ESBUILD = '/workspace/node_modules/esbuild/bin/esbuild';

/** A process on a machine with just these files. */
const withFiles = (...files: string[]): ProcessContext =>
	({
		env: {},
		sync: {
			statOrNull: (path: string) => (files.includes(new URL(path, 'file:///').pathname) ? ({} as unknown) : null),
			programs: () => ['esbuild']
		}
	}) as unknown as ProcessContext;

it('leaves a project its own version of esbuild, where that is one that runs here', () => {
	const replaced = (...files: string[]) => replacedTool(withFiles(...files), ESBUILD, ['a.ts'], []);
	expect(replaced('/workspace/node_modules/esbuild/esbuild.wasm')).toBeNull();
	expect(replaced()).toEqual(['/usr/bin/esbuild', 'a.ts']);
	// Its library talks to a program of just its own version.
	expect(replacedTool(withFiles(), ESBUILD, ['--service=0.25.0'], [])).toBeNull();
});
