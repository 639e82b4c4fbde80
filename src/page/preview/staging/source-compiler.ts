import { COMPONENT_COMPILER } from './component-compiler.ts';
import { STYLE_COMPILER } from './style-compiler.ts';

const PROJECT = String.raw`
const fs = require('node:fs');
const path = require('node:path');
const { createRequire } = require('node:module');
const { pathToFileURL } = require('node:url');
const [root, target] = process.argv.slice(2);
const fromProject = createRequire(path.join(root, 'package.json'));
const compiler = (name, what) => {
	try {
		return fromProject(name);
	} catch (error) {
		if (error.code !== 'MODULE_NOT_FOUND') throw error;
		console.error('Could not resolve "' + what + '"');
		process.exit(1);
	}
};
`;

const WALK = String.raw`
const LEFT_OUT = new Set(['node_modules', '.git', '.svelte-kit', 'coverage']);
const SOURCE = /\.(html?|[cm]?[jt]sx?|svelte|vue|astro|mdx?)$/;
let failed = false;
const withTailwind = [];
const usesTailwind = fs.existsSync(path.join(root, 'node_modules/tailwindcss/package.json'));

const compilers = [
	[/\.svelte$/, compileSvelte],
	[/\.svelte\.[jt]s$/, compileSvelteModule],
	[/\.vue$/, compileVue],
	/* Partial ones are only ever part of others. */
	[/(^|\/)[^_\/][^\/]*\.s[ac]ss$/, (source, filename) => compileStyle(source, filename.slice(-4), filename)]
];
function visit(folder) {
	for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
		if (LEFT_OUT.has(entry.name)) continue;
		const name = path.join(folder, entry.name);
		const from = path.join(root, name);
		const to = path.join(target, name);
		if (entry.isDirectory()) {
			fs.mkdirSync(to, { recursive: true });
			visit(name);
			continue;
		}
		if (usesTailwind && SOURCE.test(name)) noteClasses(fs.readFileSync(from, 'utf8'));
		const compile = compilers.find(([names]) => names.test(name))?.[1];
		if (!compile) fs.copyFileSync(from, to);
		else {
			try {
				fs.writeFileSync(to, compile(fs.readFileSync(from, 'utf8'), name));
			} catch (error) {
				tell(name, error);
			}
		}
		if (usesTailwind && /\.(css|s[ac]ss)$/.test(name) && WITH_TAILWIND.test(fs.readFileSync(to, 'utf8'))) withTailwind.push(name);
	}
}
function tell(name, error) {
	failed = true;
	const line = error.start?.line ?? error.loc?.start?.line ?? (error.span ? error.span.start.line + 1 : undefined);
	console.error(name + (line === undefined ? '' : ':' + line) + ': ' + (error.sassMessage ?? error.message));
}
async function main() {
	fs.rmSync(target, { recursive: true, force: true });
	fs.mkdirSync(target, { recursive: true });
	visit('');
	for (const name of withTailwind) {
		const to = path.join(target, name);
		try {
			fs.writeFileSync(to, await compileTailwind(fs.readFileSync(to, 'utf8'), name));
		} catch (error) {
			tell(name, error);
		}
	}
	fs.symlinkSync(path.join(root, 'node_modules'), path.join(target, 'node_modules'));
	process.exit(failed ? 1 : 0);
}
main();
`;

/**
 * Runs in the sandbox's node. Copies the project's sources (argument 1) to a folder (argument 2). Components and style
 * sheets are compiled with the project's own compilers and keep their names: esbuild then treats them as scripts and
 * CSS.
 */
export const SOURCE_COMPILER = [PROJECT, STYLE_COMPILER, COMPONENT_COMPILER, WALK].join('');
