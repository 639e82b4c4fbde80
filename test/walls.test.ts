import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cruise, type ICruiseOptions, type IForbiddenRuleType } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const rules = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
	forbidden: (IForbiddenRuleType & { name: string })[];
	options: ICruiseOptions;
};

/** Rule → an import that breaks it: its file and the imported module. */
const BREACHES: Record<string, [file: string, imported: string]> = {
	'no-cycles': ['src/llm/a.ts', '#llm/b.ts'],
	'llm-knows-nobody': ['src/llm/c.ts', '#agent/loop.ts'],
	'environment-knows-nobody': ['src/environment/a.ts', '#computer/host/a.ts'],
	'computer-is-an-environment': ['src/computer/host/b.ts', '#workspace/a.ts'],
	'agent-is-a-library': ['src/agent/a.ts', '#session/a.ts'],
	'workspace-below-session': ['src/workspace/b.ts', '#session/a.ts'],
	'session-below-page': ['src/session/b.ts', '#page/a.ts'],
	'cli-is-on-top': ['src/page/b.ts', '#cli/a.ts'],
	'cli-without-page': ['src/cli/b.ts', '#page/a.ts'],
	'server-takes-types-only': ['server/a.ts', '#agent/loop.ts'],
	'machines-are-environments': ['server/machines/a.ts', '#agent/loop.ts'],
	'source-without-tests': ['src/agent/b.ts', '#test/a.ts'],
	'abi-imports-nothing': ['src/computer/abi/a.ts', '#environment/lines.ts'],
	'computer-abi': ['src/computer/abi/b.ts', '#computer/volume/a.ts'],
	'computer-volume': ['src/computer/volume/b.ts', '#computer/kernel/a.ts'],
	'computer-process': ['src/computer/process/b.ts', '#computer/kernel/a.ts'],
	'computer-kernel': ['src/computer/kernel/b.ts', '#computer/npm/a.ts'],
	'computer-frame': ['src/computer/frame/b.ts', '#computer/kernel/a.ts'],
	'computer-host': ['src/computer/host/c.ts', '#computer/kernel/a.ts'],
	'computer-http': ['src/computer/http/b.ts', '#computer/process/a.ts'],
	'computer-terminal': ['src/computer/terminal/b.ts', '#computer/shell/a.ts'],
	'computer-wasi': ['src/computer/wasi/b.ts', '#computer/search/a.ts'],
	'computer-shell': ['src/computer/shell/b.ts', '#computer/git/a.ts'],
	'computer-coreutils': ['src/computer/coreutils/b.ts', '#computer/kernel/a.ts'],
	'computer-git': ['src/computer/git/b.ts', '#computer/volume/a.ts'],
	'computer-node': ['src/computer/node/b.ts', '#computer/npm/a.ts'],
	'computer-npm': ['src/computer/npm/b.ts', '#computer/node/a.ts'],
	'computer-python': ['src/computer/python/b.ts', '#computer/shell/a.ts'],
	'computer-search': ['src/computer/search/b.ts', '#computer/shell/a.ts'],
	'computer-local-time': ['src/computer/local-time/b.ts', '#computer/process/a.ts'],
	'computer-jq': ['src/computer/jq/b.ts', '#computer/shell/a.ts'],
	'computer-test-runners': ['src/computer/test-runners/b.ts', '#computer/npm/a.ts'],
	'computer-typescript': ['src/computer/typescript/b.ts', '#computer/node/a.ts'],
	'computer-esbuild': ['src/computer/esbuild/b.ts', '#computer/node/a.ts'],
	'computer-pdf': ['src/computer/pdf/b.ts', '#computer/node/a.ts']
};

/** Rules broken by an import, distinguishing type imports by the keyword `import type`. */
async function broken(folder: string, kind: 'import' | 'import type'): Promise<Map<string, Set<string>>> {
	const write = (file: string, text: string): void => {
		mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
		writeFileSync(path.join(folder, file), text);
	};
	const { imports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { imports: object };
	write('package.json', JSON.stringify({ type: 'module', imports }));
	write('tsconfig.json', '{ "compilerOptions": { "module": "ESNext", "moduleResolution": "bundler" } }');
	for (const [file, imported] of Object.values(BREACHES)) {
		const [room = '', ...rest] = imported.slice(1).split('/');
		const target = ['server', 'test'].includes(room) ? imported.slice(1) : path.posix.join('src', room, ...rest);
		write(target, 'export const value = 1;\nexport type Value = number;\n');
		const name = kind === 'import' ? 'value' : 'Value';
		write(
			file,
			`${kind} { ${name} } from '${imported}';\nexport const own: ${kind === 'import' ? 'number = value' : 'Value = 1'};\n`
		);
	}
	write('src/llm/b.ts', "import { own } from './a.ts';\nexport const value = own;\nexport type Value = typeof own;\n");
	const { output } = await cruise(['src', 'server'], {
		...rules.options,
		tsConfig: { fileName: path.join(folder, 'tsconfig.json') },
		baseDir: folder,
		validate: true,
		ruleSet: { forbidden: rules.forbidden }
	});
	if (typeof output === 'string') throw new Error('The rules were not applied.');
	const found = new Map<string, Set<string>>();
	for (const { from, rule } of output.summary.violations)
		found.set(rule.name, (found.get(rule.name) ?? new Set()).add(from));
	return found;
}

describe('the walls between the rooms', () => {
	let folder = '';
	beforeAll(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'sandglass-walls-'));
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	it('have an example of what breaks each of them', () => {
		expect(Object.keys(BREACHES).sort()).toEqual(rules.forbidden.map(({ name }) => name).sort());
	});

	it('are broken by an import of a value', async () => {
		const found = await broken(folder, 'import');
		for (const [name, [file]] of Object.entries(BREACHES)) expect([...(found.get(name) ?? [])], name).toContain(file);
	});

	it('are broken by an import of a type, except where types are allowed', async () => {
		const found = await broken(folder, 'import type');
		for (const [name, [file]] of Object.entries(BREACHES)) {
			const breach = expect([...(found.get(name) ?? [])], name);
			if (name === 'server-takes-types-only') breach.not.toContain(file);
			else breach.toContain(file);
		}
	});
});
