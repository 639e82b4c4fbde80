/**
 * Runs in the sandbox's node. Copies the project's sources (argument 1) to a folder (argument 2), Svelte and Vue
 * components compiled by the project's own compilers, under their own names: esbuild then takes them as scripts.
 */
export const COMPONENT_COMPILER = String.raw`
const fs = require('node:fs');
const path = require('node:path');
const { createRequire } = require('node:module');
const [root, target] = process.argv.slice(2);
const fromProject = createRequire(path.join(root, 'package.json'));
const LEFT_OUT = new Set(['node_modules', '.git', '.svelte-kit', 'coverage']);
const compiler = (name, what) => {
	try {
		return fromProject(name);
	} catch (error) {
		if (error.code !== 'MODULE_NOT_FOUND') throw error;
		console.error('Could not resolve "' + what + '"');
		process.exit(1);
	}
};
let svelte;
let vue;

/* esbuild follows the map into its own, so that errors are told by the component's lines. */
function mapped({ code, map }, filename) {
	if (!map) return code;
	const json = JSON.stringify({ ...map, sources: [path.basename(filename)] });
	return code + '\n//# sourceMappingURL=data:application/json;base64,' + Buffer.from(json).toString('base64') + '\n';
}
function compileSvelte(source, filename) {
	svelte ??= compiler('svelte/compiler', 'svelte');
	return mapped(svelte.compile(source, { filename, dev: true, css: 'injected', generate: 'client' }).js, filename);
}
function compileSvelteModule(source, filename) {
	svelte ??= compiler('svelte/compiler', 'svelte');
	return mapped(svelte.compileModule(source, { filename, dev: true, generate: 'client' }).js, filename);
}
function compileVue(source, filename) {
	vue ??= compiler('vue/compiler-sfc', 'vue');
	const { descriptor, errors } = vue.parse(source, { filename });
	if (errors.length > 0) throw errors[0];
	let hash = 5381;
	for (const character of filename) hash = ((hash * 33) ^ character.charCodeAt(0)) >>> 0;
	const id = hash.toString(16);
	const isScoped = descriptor.styles.some((style) => style.scoped);
	const parts = [];
	let map;
	if (descriptor.script || descriptor.scriptSetup) {
		const compiled = vue.compileScript(descriptor, { id, inlineTemplate: Boolean(descriptor.scriptSetup), genDefaultAs: 'component' });
		parts.push(compiled.content);
		map = compiled.map;
	} else parts.push('const component = {};');
	if (descriptor.template && !descriptor.scriptSetup) {
		const template = vue.compileTemplate({ source: descriptor.template.content, filename, id, scoped: isScoped });
		if (template.errors.length > 0) throw template.errors[0];
		parts.push(template.code, 'component.render = render;');
	}
	for (const style of descriptor.styles) {
		if (style.lang && style.lang !== 'css') throw new Error('styles in ' + style.lang + ' cannot be compiled here; use plain CSS');
		const { code, errors: wrong } = vue.compileStyle({ source: style.content, filename, id: 'data-v-' + id, scoped: Boolean(style.scoped) });
		if (wrong.length > 0) throw wrong[0];
		parts.push('document.head.append(Object.assign(document.createElement("style"), { textContent: ' + JSON.stringify(code) + ' }));');
	}
	if (isScoped) parts.push('component.__scopeId = "data-v-' + id + '";');
	return mapped({ code: parts.join('\n') + '\nexport default component;\n', map }, filename);
}

let failed = false;
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
		const compile = entry.name.endsWith('.svelte') ? compileSvelte
			: /\.svelte\.[jt]s$/.test(entry.name) ? compileSvelteModule
			: entry.name.endsWith('.vue') ? compileVue : null;
		if (!compile) {
			fs.copyFileSync(from, to);
			continue;
		}
		try {
			fs.writeFileSync(to, compile(fs.readFileSync(from, 'utf8'), name));
		} catch (error) {
			failed = true;
			const line = error.start?.line ?? error.loc?.start?.line;
			console.error(name + (line === undefined ? '' : ':' + line) + ': ' + error.message);
		}
	}
}
fs.rmSync(target, { recursive: true, force: true });
fs.mkdirSync(target, { recursive: true });
visit('');
fs.symlinkSync(path.join(root, 'node_modules'), path.join(target, 'node_modules'));
process.exit(failed ? 1 : 0);
`;
