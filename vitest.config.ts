import { svelte } from '@sveltejs/vite-plugin-svelte';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { sandboxFrame } from './src/computer/build/frame-plugin.ts';
import { countOwnRequests, listenerCommands } from './test/computer/listener.ts';
import { conformanceCommands } from './test/conformance/commands.ts';
import { modelCommands } from './test/model-server/commands.ts';
import { trialCommands } from './test/trials/commands.ts';
import { nodeAliases, sandboxPrograms } from './src/computer/build/program-plugin.ts';
import { brotliModule } from './src/computer/build/brotli-plugin.ts';
import { jqModule } from './src/computer/build/jq-plugin.ts';
import { ripgrepModule } from './src/computer/build/ripgrep-plugin.ts';
import { playwrightInjected } from './src/page/preview/driver/playwright-plugin.ts';
import { CHROMIUM_FLAGS } from './test/browser.mjs';
import { LongestFirst } from './test/longest-first.ts';

/** Set by `test/run.mjs`, which finds a browser; a plain `npx vitest` takes Debian's. */
const executablePath = process.env['CHROME_PATH'] ?? '/usr/bin/chromium';

/** A new object for each project: vitest writes the project's name into it. */
const inChromium = () => ({
	enabled: true,
	headless: true,
	screenshotFailures: false,
	commands: { ...listenerCommands, ...modelCommands, ...trialCommands, ...conformanceCommands },
	provider: playwright({
		launchOptions: {
			executablePath,
			args: CHROMIUM_FLAGS
		}
	}),
	instances: [{ browser: 'chromium' as const }]
});

/** A project of tests that run in Node. */
const inNode = (name: string, files: { include: string[]; exclude: string[]; isolate: boolean }) => ({
	plugins: [svelte(), sandboxPrograms(), ripgrepModule(), brotliModule(), jqModule(), playwrightInjected()],
	test: {
		name,
		...files,
		exclude: [...files.exclude, 'test/**/*.browser.test.ts', '**/node_modules/**'],
		// What hangs, not what is slow: a test of thirty processes takes half a minute where others use the machine.
		testTimeout: 60_000,
		hookTimeout: 60_000,
		// A second, the default, is short for the processes of a busy machine.
		expect: { poll: { timeout: 15_000 } }
	}
});

/** What `npm run soak` says: 0 takes the full size. */
const soak = { seed: Number(process.env['SOAK_SEED'] ?? 1), size: Number(process.env['SOAK_SIZE'] ?? 0) };
const SOAK_LIMIT_MS = 3 * 3_600_000;

export default defineConfig({
	test: {
		sequence: { sequencer: LongestFirst },
		projects: [
			// Modules are loaded once a worker, not once a file, which is a tenth of the run. A test undoes what it changes
			// outside itself.
			inNode('node', { include: ['test/**/*.test.ts'], exclude: ['test/e2e/**', 'test/page/**'], isolate: false }),
			// These modules hold the state of one page, which each file begins with.
			inNode('page', { include: ['test/page/**/*.test.ts'], exclude: [], isolate: true }),
			{
				plugins: [
					svelte(),
					sandboxPrograms(),
					ripgrepModule(),
					brotliModule(),
					jqModule(),
					playwrightInjected(),
					sandboxFrame(),
					countOwnRequests()
				],
				resolve: { alias: nodeAliases },
				// Found on first use otherwise, which reloads the page in the middle of a test.
				optimizeDeps: {
					include: [
						...['openai', '@anthropic-ai/sdk', '@google/genai', 'zod/v4/core'],
						...['@codemirror/autocomplete', '@codemirror/lint', '@codemirror/view']
					]
				},
				test: {
					name: 'browser',
					include: ['test/**/*.browser.test.ts'],
					testTimeout: 60_000,
					hookTimeout: 60_000,
					// A second, the default, is short where several browsers share the cores.
					expect: { poll: { timeout: 30_000 } },
					// Each file is one computer in a tab, which keeps one core busy and waits with the other.
					maxWorkers: 2,
					browser: inChromium()
				}
			},
			{
				test: {
					name: 'e2e',
					include: ['test/e2e/**/*.test.ts'],
					setupFiles: ['test/e2e/on-failure.ts'],
					testTimeout: 120_000,
					hookTimeout: 180_000,
					// As long as Playwright waits. A second, the default, is short where two browsers share the cores.
					expect: { poll: { timeout: 30_000 } },
					// Mostly waiting: two files at a time.
					maxWorkers: 2,
					// The modules that the files share are loaded once a worker: half a minute.
					isolate: false
				}
			},
			{
				plugins: [svelte(), sandboxPrograms(), ripgrepModule(), brotliModule(), jqModule(), playwrightInjected()],
				test: {
					name: 'soak',
					include: ['test/soak/**/*.soak.ts'],
					exclude: ['test/soak/**/*.browser.soak.ts'],
					provide: { soak },
					testTimeout: SOAK_LIMIT_MS,
					hookTimeout: SOAK_LIMIT_MS,
					fileParallelism: false
				}
			},
			{
				plugins: [
					svelte(),
					sandboxPrograms(),
					ripgrepModule(),
					brotliModule(),
					jqModule(),
					playwrightInjected(),
					sandboxFrame(),
					countOwnRequests()
				],
				resolve: { alias: nodeAliases },
				test: {
					name: 'soak-browser',
					include: ['test/soak/**/*.browser.soak.ts'],
					provide: { soak },
					testTimeout: SOAK_LIMIT_MS,
					hookTimeout: SOAK_LIMIT_MS,
					browser: inChromium()
				}
			},
			{
				plugins: [
					svelte(),
					sandboxPrograms(),
					ripgrepModule(),
					brotliModule(),
					jqModule(),
					playwrightInjected(),
					sandboxFrame(),
					countOwnRequests()
				],
				resolve: { alias: nodeAliases },
				test: {
					name: 'conformance',
					include: ['test/conformance/*.browser.ts'],
					testTimeout: SOAK_LIMIT_MS,
					browser: inChromium()
				}
			}
		]
	}
});
