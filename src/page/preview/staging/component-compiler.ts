/**
 * Part of the script {@link SOURCE_COMPILER}: compiles Svelte and Vue components to scripts with the project's own
 * compilers.
 */
export const COMPONENT_COMPILER = String.raw`
let svelte;
let vue;

/* esbuild merges the map into its own, so that errors have the component's lines. */
function mapped({ code, map }, filename) {
	if (!map) return code;
	const json = JSON.stringify({ ...map, sources: [path.basename(filename)] });
	return code + '\n//# sourceMappingURL=data:application/json;base64,' + Buffer.from(json).toString('base64') + '\n';
}
function compileSvelte(source, filename) {
	svelte ??= compiler('svelte/compiler', 'svelte');
	return mapped(svelte.compile(withCompiledStyles(source, filename), { filename, dev: true, css: 'injected', generate: 'client' }).js, filename);
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
		const plain = compileStyle(style.content, style.lang || 'css', filename);
		const { code, errors: wrong } = vue.compileStyle({ source: plain, filename, id: 'data-v-' + id, scoped: Boolean(style.scoped) });
		if (wrong.length > 0) throw wrong[0];
		parts.push('document.head.append(Object.assign(document.createElement("style"), { textContent: ' + JSON.stringify(code) + ' }));');
	}
	if (isScoped) parts.push('component.__scopeId = "data-v-' + id + '";');
	return mapped({ code: parts.join('\n') + '\nexport default component;\n', map }, filename);
}
`;
