import pyodideUrl from 'pyodide/pyodide.asm.wasm?url';
import { commands } from 'vitest/browser';
import { expect, it } from 'vitest';
import pythonLibraryUrl from 'virtual:python-library';
import pythonSnapshotUrl from 'virtual:python-snapshot';
import sqliteUrl from '@sqlite.org/sqlite-wasm/sqlite3.wasm?url';
import brotliModuleUrl from 'virtual:brotli-module';
import jqModuleUrl from 'virtual:jq-module';
import ripgrepUrl from 'virtual:ripgrep-module';
import zonesUrl from 'virtual:zoneinfo';
import { ZONE_ARCHIVE } from '#computer/abi/time-zones.ts';
import gitUrl from '#computer/git/main.ts?program';
import jqUrl from '#computer/jq/main.ts?program';
import nodeUrl from '#computer/node/main.ts?program';
import pythonUrl from '#computer/python/main.ts?program';
import { LIBRARY, SNAPSHOT } from '#computer/python/settings.ts';
import searchUrl from '#computer/search/main.ts?program';
import shellUrl from '#computer/shell/main.ts?program';
import type { ExecutionEnvironment, LoadEntry } from '#environment/contract.ts';
import { PROGRAMS } from '#computer/program-table.ts';
import { sandboxInPage } from '#test/computer/in-page.ts';
import type { ShippedSuite } from './commands.ts';
import { type Answer, contentsOf } from './suite.ts';

declare module 'vitest/browser' {
	interface BrowserCommands {
		conformanceSuites(): Promise<string[]>;
		openConformance(name: string): Promise<ShippedSuite>;
		answerNatively(name: string, from: number, to: number): Promise<void>;
		reportConformance(name: string, answers: Answer[]): Promise<string>;
	}
}

/** Number of cases per sandbox; a new one limits what they leave behind. */
const BATCH = 250;
const AT_ONCE = 3;
/** Maximum length of an answer's stderr. */
const DIAGNOSIS_CHARS = 4_000;

const open = () =>
	sandboxInPage(
		[
			{ ...PROGRAMS.shell, url: shellUrl },
			{ ...PROGRAMS.node, url: nodeUrl },
			{ ...PROGRAMS.search, url: searchUrl },
			{ ...PROGRAMS.jq, url: jqUrl },
			{ ...PROGRAMS.git, url: gitUrl },
			{ ...PROGRAMS.python, url: pythonUrl }
		],
		{
			'rg.wasm': ripgrepUrl,
			'jq.wasm': jqModuleUrl,
			'brotli.wasm': brotliModuleUrl,
			'sqlite3.wasm': sqliteUrl,
			'pyodide.asm.wasm': pyodideUrl,
			[LIBRARY]: pythonLibraryUrl,
			[SNAPSHOT]: pythonSnapshotUrl,
			[ZONE_ARCHIVE]: zonesUrl
		}
	);

/** The suite's shared files as entries of one transfer. */
async function* entriesOf(suite: ShippedSuite): AsyncGenerator<LoadEntry> {
	const encoder = new TextEncoder();
	for (const [path, content] of contentsOf(suite))
		yield { path, mode: 0o100755, bytes: typeof content === 'string' ? encoder.encode(content) : content };
}

async function runBatch(suite: ShippedSuite, from: number, answers: Answer[]): Promise<void> {
	const sandbox = await open();
	try {
		await sandbox.makeDirectory(suite.root);
		await sandbox.load(entriesOf(suite), { root: suite.root });
		const batch = suite.cases.slice(from, from + BATCH);
		const folders = batch.map((_one, offset) => `cases/${from + offset}/_tmp`).join(' ');
		await sandbox.exec(`cd ${suite.root} && mkdir -p ${folders} && chmod -R 755 .`);
		const left = batch.entries();
		const work = async () => {
			for (const [offset, one] of left) answers[from + offset] = await answer(sandbox, one, suite, from + offset);
		};
		await Promise.all(Array.from({ length: AT_ONCE }, work));
	} finally {
		await sandbox.cleanup();
	}
}

async function answer(
	sandbox: ExecutionEnvironment,
	one: ShippedSuite['cases'][number],
	{ root, limitMs }: ShippedSuite,
	index: number
): Promise<Answer> {
	const cwd = `${root}/cases/${index}`;
	const result = await sandbox.exec(one.script, { cwd, env: one.env, timeoutMs: limitMs });
	return { stdout: result.stdout, status: result.exitCode, stderr: result.stderr.slice(0, DIAGNOSIS_CHARS) };
}

it('answers foreign suites as the real programs do', { timeout: 3_600_000 }, async () => {
	for (const name of await commands.conformanceSuites()) {
		const suite = await commands.openConformance(name);
		expect(suite.cases.length).toBeGreaterThan(0);
		const answers: Answer[] = [];
		for (let from = 0; from < suite.cases.length; from += BATCH) {
			await Promise.all([commands.answerNatively(name, from, from + BATCH), runBatch(suite, from, answers)]);
		}
		console.log(await commands.reportConformance(name, answers));
	}
});
