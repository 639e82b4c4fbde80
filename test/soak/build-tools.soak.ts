import type { Page } from 'playwright';
import { expect, it, onTestFinished } from 'vitest';
import { openWorld } from '#test/e2e/world.ts';
import { registryProblem } from './registry.ts';

const noRegistry = registryProblem();
/** A React project, with its build tools. */
const react = (devDependencies: Record<string, string>, files: Record<string, string>) => ({
	'package.json': JSON.stringify({
		name: 'app',
		type: 'module',
		scripts: { dev: 'vite', build: 'vite build' },
		dependencies: { react: '19', 'react-dom': '19' },
		devDependencies
	}),
	'index.html': '<!doctype html><div id="app"></div><script type="module" src="/main.tsx"></script>\n',
	'main.tsx':
		"import { createRoot } from 'react-dom/client';\nimport { App } from './App.tsx';\nimport './main.css';\ncreateRoot(document.getElementById('app')!).render(<App />);\n",
	'App.tsx': 'export const App = () => <h1 className="mt-[13px]">Built here</h1>;\n',
	'main.css': '',
	...files
});

const run = async (page: Page, command: string) => {
	const { stdout, stderr, exitCode } = await page.evaluate(
		(text) => window.sandglass!.environment!.exec(text, { timeoutMs: 120_000 }),
		command
	);
	return { output: stdout + stderr, exitCode };
};

/** Installs, builds, serves and changes a project of {@link react}. */
async function buildAndServe(page: Page): Promise<void> {
	const installing = run(page, 'npm install');
	await page.getByRole('button', { name: 'Allow', exact: true }).click();
	expect((await installing).exitCode).toBe(0);
	const built = await run(page, 'npm run build && grep -l "Built here" dist/assets/*.js');
	expect(built.output).toMatch(/✓ built in .*\ndist\/assets\/index-.*\.js\n$/);

	await page.evaluate(() => window.sandglass!.environment!.start('npm run dev').then(() => {}));
	await page.getByRole('button', { name: 'Open port 5173' }).first().click();
	const shown = page.frameLocator('iframe[title="Server on port 5173"]').frameLocator('iframe');
	await shown.getByRole('heading', { name: 'Built here' }).waitFor();
	await run(page, "sed -i 's/Built/Changed/' App.tsx");
	await shown.getByRole('heading', { name: 'Changed here' }).waitFor();
}

async function openProject(files: Record<string, string>): Promise<Page> {
	const world = await openWorld();
	onTestFinished(() => world.close());
	const { page } = await world.newProfile();
	await page.goto(world.url);
	await page.evaluate((given) => window.sandglass!.importRepository({ files: given }), files);
	return page;
}

it.skipIf(noRegistry)(`tools from the registry build, serve, check and format a project${noRegistry}`, async () => {
	const page = await openProject(
		react(
			{ vite: '7', '@vitejs/plugin-react': '5' },
			{
				'vite.config.ts': "import react from '@vitejs/plugin-react';\nexport default { plugins: [react()] };\n",
				'untidy.js': 'const a  = {b:1}\nlet unused = 2\nconsole.log( a )\n'
			}
		)
	);
	await buildAndServe(page);

	expect((await run(page, 'npx -y prettier@3 untidy.js')).output).toContain('const a = { b: 1 };');
	const checked = await run(page, "npx -y eslint@9 --no-config-lookup --rule 'no-unused-vars: error' untidy.js");
	expect(checked.output).toContain("'unused' is assigned a value but never used");
	expect((await run(page, 'npx -y rollup@4 untidy.js --format cjs --silent')).output).toContain('console.log( a );');
	expect((await run(page, "npx -y tsx -e 'console.log(6 * (7 as number))'")).output).toBe('42\n');
});

it.skipIf(noRegistry)(`those published in WebAssembly with threads do, too${noRegistry}`, async () => {
	const page = await openProject(
		react(
			{ vite: '8', '@vitejs/plugin-react': '6', tailwindcss: '4', '@tailwindcss/vite': '4', '@tailwindcss/cli': '4' },
			{
				'vite.config.ts':
					"import react from '@vitejs/plugin-react';\nimport tailwindcss from '@tailwindcss/vite';\nexport default { plugins: [react(), tailwindcss()] };\n",
				'main.css': '@import "tailwindcss";\n'
			}
		)
	);
	await buildAndServe(page);
	expect((await run(page, 'grep -c "margin-top:13px" dist/assets/*.css')).output).toBe('1\n');
	await run(page, 'npx @tailwindcss/cli -i main.css -o out.css');
	expect((await run(page, 'cat out.css')).output).toContain('margin-top: 13px;');
	expect((await run(page, 'npx rolldown App.tsx -d bundled --external react/jsx-runtime')).exitCode).toBe(0);
	expect((await run(page, 'cat bundled/App.js')).output).toContain('Changed here');
});
