import jqModuleUrl from 'virtual:jq-module';
import ripgrepUrl from 'virtual:ripgrep-module';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import jqUrl from '#computer/jq/main.ts?program';
import nodeUrl from '#computer/node/main.ts?program';
import searchUrl from '#computer/search/main.ts?program';
import shellUrl from '#computer/shell/main.ts?program';
import { PROGRAMS } from '#computer/program-table.ts';
import { sandboxInPage } from '../in-page.ts';
import fixtures from './cases/fixtures.json';
import { DIFFERENCES } from './differences.ts';
import agents from './recorded/agents.json';
import background from './recorded/background.json';
import basics from './recorded/basics.json';
import day from './recorded/day.json';
import files from './recorded/files.json';
import functions from './recorded/functions.json';
import idioms from './recorded/idioms.json';
import language from './recorded/language.json';
import text from './recorded/text.json';

interface Recorded {
	recordedWith: string;
	fixture: string;
	cases: { command: string; stdout: string; exitCode: number; files?: Record<string, string | null | undefined> }[];
}

const themes: Record<string, Recorded> = { agents, background, basics, day, files, functions, idioms, language, text };
let sandbox: ExecutionEnvironment;

async function open(): Promise<void> {
	sandbox = await sandboxInPage(
		[
			{ ...PROGRAMS.shell, url: shellUrl },
			{ ...PROGRAMS.node, url: nodeUrl },
			{ ...PROGRAMS.search, url: searchUrl },
			{ ...PROGRAMS.jq, url: jqUrl }
		],
		{ 'rg.wasm': ripgrepUrl, 'jq.wasm': jqModuleUrl }
	);
}

/** Files that a command created or changed below `cwd`, as written by record.mjs. */
async function changes(cwd: string, before: Record<string, string>): Promise<Record<string, string | null>> {
	const found = new Map<string, string>();
	for (const entry of await sandbox.listDirectory(cwd, 20)) {
		const path = `${cwd}/${entry.path}`;
		if (entry.kind === 'directory') found.set(`${entry.path}/`, '');
		else if (entry.kind === 'symlink') found.set(entry.path, `-> ${await sandbox.readLink(path)}`);
		else {
			const text = content(await sandbox.readBytes(path));
			const { mode } = entry;
			found.set(entry.path, `${mode & 0o100 ? '+x ' : ''}${text}`);
		}
	}
	const known = new Map(Object.entries(before));
	for (const name of Object.keys(before)) {
		for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) known.set(name.slice(0, at + 1), '');
	}
	const changed: Record<string, string | null> = {};
	for (const name of new Set([...known.keys(), ...found.keys()])) {
		if (known.get(name) !== found.get(name)) changed[name] = found.get(name) ?? null;
	}
	return changed;
}

function content(bytes: Uint8Array): string {
	try {
		const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
		return bytes.includes(0) ? '(binary)' : text;
	} catch {
		return '(binary)';
	}
}

/** Files available to a topic's commands. */
const filesOf = (fixture: string): Record<string, string> =>
	fixture === 'small' ? fixtures.small : fixture === 'service' ? fixtures.service : fixtures.project;

const sorted = (files: object) => JSON.stringify(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Each has a separate directory, so several may run in parallel. */
const AT_ONCE = 4;
/** Slowness of a busy machine is not a difference. */
const LIMIT_MS = 120_000;

/**
 * Runs recorded commands and compares their output, exit code and the files they leave.
 *
 * @param every 1 runs all of them, 2 every second one
 */
export function compareEveryday(every: number): void {
	let answered = 0;
	let agreed = 0;
	beforeAll(open);
	afterAll(() => sandbox.cleanup());
	for (const [theme, { cases: all, fixture, recordedWith }] of Object.entries(themes)) {
		// Agents' command lines are long: only a third as many are run.
		const step = every > 1 && fixture === 'service' ? every * 3 : every;
		const cases = all.filter((_, index) => index % step === 0);
		const commands = new Set(cases.map(({ command }) => command));
		const known: Record<string, string> = DIFFERENCES[theme] ?? {};
		const files: Record<string, string> = filesOf(fixture);
		it(`answers everyday ${theme} as ${recordedWith} and GNU's tools do`, { timeout: 600_000 }, async () => {
			const different: string[] = [];
			const left = cases.entries();
			const work = async () => {
				for (const [index, recorded] of left) if (await differs(index, recorded)) different.push(recorded.command);
			};
			const differs = async (index: number, recorded: Recorded['cases'][number]): Promise<boolean> => {
				const { command } = recorded;
				const cwd = `/workspace/${theme}-${index}`;
				for (const [name, text] of Object.entries(files)) await sandbox.writeFile(`${cwd}/${name}`, text);
				const env = { TZ: 'UTC', LC_ALL: 'C', USER: 'user' };
				const result = await sandbox.exec(command, { cwd, timeoutMs: LIMIT_MS, env });
				const after = await changes(cwd, files);
				await sandbox.remove(cwd, { recursive: true });
				const same = result.stdout === recorded.stdout && result.exitCode === recorded.exitCode;
				if (same && sorted(after) === sorted(recorded.files ?? {})) return false;
				if (!(command in known)) {
					const got = [result.stdout, result.exitCode, result.stderr, after];
					const answer = [recorded.stdout, recorded.exitCode, recorded.files ?? {}];
					console.log(JSON.stringify({ command, got, answer }));
				}
				return true;
			};
			await Promise.all(Array.from({ length: AT_ONCE }, work));
			answered += cases.length;
			agreed += cases.length - different.length;
			expect(different.sort()).toEqual(
				Object.keys(known)
					.filter((command) => commands.has(command))
					.sort()
			);
		});
	}

	it('agrees in 98 of 100 of them', () => {
		expect(answered).toBeGreaterThan(800 / every);
		expect(agreed / answered).toBeGreaterThanOrEqual(0.98);
	});
}
