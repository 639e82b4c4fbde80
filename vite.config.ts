import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { sandboxFrame } from './src/computer/build/frame-plugin.ts';
import { nodeAliases, sandboxPrograms } from './src/computer/build/program-plugin.ts';
import { buildProgress } from './src/computer/build/progress-plugin.ts';
import { brotliModule } from './src/computer/build/brotli-plugin.ts';
import { jqModule } from './src/computer/build/jq-plugin.ts';
import { ripgrepModule } from './src/computer/build/ripgrep-plugin.ts';
import { playwrightInjected } from './src/page/preview/driver/playwright-plugin.ts';
import { chunkGroups } from './src/page/chunk-groups.ts';
import { documentPages } from './src/page/documentation/plugin.ts';
import { offlinePage } from './src/page/offline/plugin.ts';

export default defineConfig({
	plugins: [
		svelte(),
		sandboxPrograms(),
		ripgrepModule(),
		brotliModule(),
		jqModule(),
		playwrightInjected(),
		sandboxFrame(),
		documentPages(),
		offlinePage(),
		buildProgress()
	],
	resolve: { alias: nodeAliases },
	build: {
		target: 'es2023',
		outDir: 'dist/page',
		emptyOutDir: true,
		modulePreload: { polyfill: false },
		// The layer of a project: 242 KB gzipped, which are needed at once.
		chunkSizeWarningLimit: 900,
		// Most of the time goes into plugins of our own, which bundle the programs of the sandbox.
		rolldownOptions: {
			checks: { pluginTimings: false },
			output: { codeSplitting: { groups: chunkGroups() } }
		}
	}
});
