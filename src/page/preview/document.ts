import type { ExecutionEnvironment } from '#environment/contract.ts';
import { bundle, BundleFailed, bundleText, OUTPUT, unresolvedFromRoot, type BundleOptions } from './bundle.ts';
import { dataAddress } from './media-types.ts';
import { guardScript } from './guard.ts';
import { observerScript, type ScrollState } from './observe.ts';
import { projectPackages } from './project-packages.ts';
import { folderOf, isElsewhere, SiteFiles } from './site-files.ts';
import { readSourceMap } from './source-map.ts';
import { inertAddress, inertHtml, inertScript } from './inert-html.ts';
import { stageSources } from './staging/stage.ts';
import type { FindPlace } from './stack.ts';

/** One document with all referenced files inlined. */
export interface BuiltDocument {
	html: string;
	/** Warnings of the bundler, and about files that could not be inlined; one or more sentences each. */
	warnings: string[];
	findPlace: FindPlace;
}

const SCRIPT_TYPES = new Set([
	'',
	'module',
	'text/javascript',
	'application/javascript',
	'text/jsx',
	'text/typescript'
]);
const NEEDS_BUNDLER = /\.(ts|tsx|jsx|mts)$/i;
const ADDRESSES: readonly [selector: string, attribute: string][] = [
	['img[src], source[src], video[src], audio[src], track[src], input[src], embed[src]', 'src'],
	['video[poster]', 'poster'],
	['link[rel~=icon][href], link[rel=apple-touch-icon][href]', 'href'],
	['image[href], use[href]', 'href'],
	['object[data]', 'data']
];

/**
 * Builds a self-contained document from an HTML file of the project, or from a script, for which it creates an empty
 * document. Rejects with {@link BundleFailed} or an `EnvironmentError`.
 *
 * @param driver first script of the document (see `driver/boot.ts`)
 */
export async function buildDocument(
	environment: ExecutionEnvironment,
	path: string,
	scroll: ScrollState,
	driver = ''
): Promise<BuiltDocument> {
	const isScript = !/\.html?$/i.test(path);
	const text = isScript
		? `<!doctype html><div id="root"></div><div id="app"></div><script type="module" src="/${path}"></script>`
		: await environment.readFile(path);
	return new DocumentBuilder(environment, isScript ? 'index.html' : path, text).build(scroll, driver);
}

class DocumentBuilder {
	readonly #document: Document;
	readonly #files: SiteFiles;
	readonly #warnings: string[] = [];
	readonly #finders = new Map<string, FindPlace>();
	#options: BundleOptions | null = null;
	#lastName = 0;

	constructor(
		private readonly environment: ExecutionEnvironment,
		private readonly path: string,
		private readonly text: string
	) {
		this.#document = new DOMParser().parseFromString(inertHtml(text), 'text/html');
		this.#files = new SiteFiles(environment, path);
	}

	async build(scroll: ScrollState, driver: string): Promise<BuiltDocument> {
		for (const policy of this.#document.querySelectorAll('base, link[rel=modulepreload], link[rel=preload]'))
			policy.remove();
		for (const link of this.#document.querySelectorAll('link[rel~=stylesheet][href]')) await this.#styleSheet(link);
		for (const script of this.#document.querySelectorAll('script')) await this.#script(script);
		for (const style of this.#document.querySelectorAll('style:not([data-bundled])'))
			style.textContent = await this.#styleText(style.textContent ?? '', this.path);
		for (const element of this.#document.querySelectorAll('[style*="url("]'))
			element.setAttribute('style', await this.#styleText(element.getAttribute('style') ?? '', this.path));
		for (const [selector, attribute] of ADDRESSES)
			for (const element of this.#document.querySelectorAll(selector)) await this.#address(element, attribute);
		for (const element of this.#document.querySelectorAll('[srcset]')) await this.#sourceSet(element);
		const { doctype, documentElement } = this.#document;
		const scripts = inertHtml(driver + observerScript(scroll) + guardScript());
		documentElement.querySelector('head')?.insertAdjacentHTML('afterbegin', scripts);
		return {
			html: `${doctype ? '<!doctype html>' : ''}${documentElement.outerHTML}`,
			warnings: this.#warnings,
			findPlace: (script, line, column) => this.#finders.get(script)?.(script, line, column) ?? null
		};
	}

	/** Bundle options of this project; compiles its components and style sheets on first use. */
	async #bundling(): Promise<BundleOptions> {
		if (this.#options) return this.#options;
		const packages = await projectPackages(this.environment);
		const root = await stageSources(this.environment, packages);
		this.#options = { root, packages, aliases: this.#importMap(root) };
		return this.#options;
	}

	/** Aliases for files of the project, from the document's import map. */
	#importMap(root: string): Record<string, string> {
		const aliases: Record<string, string> = {};
		for (const script of this.#document.querySelectorAll('script[type=importmap]')) {
			const found = /"imports"\s*:\s*\{([^}]*)\}/.exec(script.textContent ?? '')?.[1] ?? '';
			for (const [, name = '', target = ''] of found.matchAll(/"([^"]+)"\s*:\s*"([^"]+)"/g)) {
				const isPackage = /^[\w@]/.test(name) && !name.endsWith('/') && !isElsewhere(name);
				const below = target.startsWith('/') ? '' : folderOf(this.path);
				if (isPackage) aliases[name] = isElsewhere(target) ? target : `${root}/${below}/${target}`;
			}
			script.remove();
		}
		return aliases;
	}

	async #styleSheet(link: Element): Promise<void> {
		const path = await this.#files.find(link.getAttribute('href') ?? '', this.path);
		if (path === null) return this.#notThere(link, 'href');
		const name = this.#name();
		await this.#bundle(name, path);
		const style = this.#document.createElement('style');
		style.dataset['bundled'] = '';
		const media = link.getAttribute('media');
		if (media) style.media = media;
		style.textContent = closed(await this.environment.readFile(`${OUTPUT}/${name}.css`), 'style');
		link.replaceWith(style);
	}

	async #script(script: HTMLScriptElement): Promise<void> {
		const type = (script.getAttribute('type') ?? '').toLowerCase();
		if (!SCRIPT_TYPES.has(type)) return;
		const address = script.getAttribute('src');
		const path = address === null ? null : await this.#files.find(address, this.path);
		if (address !== null && path === null) return this.#notThere(script, 'src');
		const isModule = type === 'module' || (path !== null && NEEDS_BUNDLER.test(path));
		if (isModule) return this.#module(script, path);
		if (path === null) return this.#inlineScript(script);
		const text = await this.environment.readFile(path);
		this.#finders.set(path, (_script, line, column) => ({ file: path, line, column }));
		script.textContent = inertScript(closed(`${text}\n//# sourceURL=${path}`, 'script'));
		script.removeAttribute('src');
		// Inline scripts do not wait for the end of the document automatically.
		if (script.hasAttribute('defer') || script.hasAttribute('async')) this.#document.body.append(script);
	}

	#inlineScript(script: HTMLScriptElement): void {
		const text = script.textContent ?? '';
		const name = `inline-${++this.#lastName}.js`;
		const before = this.text.slice(0, Math.max(0, this.text.indexOf(text))).split('\n').length - 1;
		this.#finders.set(name, (_script, line, column) => ({ file: this.path, line: line + before, column }));
		script.textContent = inertScript(`${text}\n//# sourceURL=${name}`);
	}

	async #module(script: HTMLScriptElement, path: string | null): Promise<void> {
		const name = this.#name();
		if (path === null) {
			const text = script.textContent ?? '';
			const entry = { name, folder: folderOf(this.path), sourceName: this.path.replace(/^.*\//, '') };
			const before = this.text.slice(0, Math.max(0, this.text.indexOf(text))).split('\n').length - 1;
			this.#warn(await bundleText(this.environment, '\n'.repeat(before) + text, entry, await this.#bundling()));
		} else await this.#bundle(name, path);
		const scriptName = `bundle-${name}.js`;
		const code = await this.environment.readFile(`${OUTPUT}/${name}.js`);
		await this.#readMap(scriptName, name);
		const made = this.#document.createElement('script');
		made.type = 'module';
		made.textContent = inertScript(closed(`${await this.#rootImports(code)}\n//# sourceURL=${scriptName}`, 'script'));
		script.replaceWith(made);
		if (!(await this.environment.fileExists(`${OUTPUT}/${name}.css`))) return;
		const style = this.#document.createElement('style');
		style.dataset['bundled'] = '';
		style.textContent = closed(await this.environment.readFile(`${OUTPUT}/${name}.css`), 'style');
		this.#document.head.append(style);
	}

	async #bundle(name: string, path: string): Promise<void> {
		const options = await this.#bundling();
		await this.environment.remove(`${OUTPUT}/${name}.css`).catch(() => {
			// There is no earlier output to remove.
		});
		try {
			this.#warn(await bundle(this.environment, [{ name, path }], options));
		} catch (error) {
			const external = error instanceof BundleFailed ? unresolvedFromRoot(error.output) : [];
			if (external.length === 0) throw error;
			this.#warn(await bundle(this.environment, [{ name, path }], { ...options, external }));
		}
	}

	/** Inlines root-relative imports that the bundle left external, such as `import logo from '/logo.svg'`. */
	async #rootImports(code: string): Promise<string> {
		let changed = code;
		for (const [whole, name = '', address = ''] of code.matchAll(/^import (\w+) from "(\/[^"]+)";$/gm)) {
			const path = await this.#files.find(address, this.path);
			const value = path === null ? address : dataAddress(path, await this.environment.readBytes(path));
			changed = changed.replace(whole, () => `const ${name} = ${JSON.stringify(value)};`);
		}
		return changed;
	}

	async #readMap(scriptName: string, name: string): Promise<void> {
		const find = readSourceMap(await this.environment.readFile(`${OUTPUT}/${name}.js.map`));
		const root = this.environment.workingDirectory();
		this.#finders.set(scriptName, (_script, line, column) => {
			const place = find(line, column);
			if (!place) return null;
			// Sources are relative to the bundle.
			const absolute = new URL(place.file, `file://${OUTPUT}/`).pathname;
			const file = absolute.replace(`${OUTPUT}/tree/`, '').replace(`${root}/`, '');
			return { ...place, file: decodeURI(file) };
		});
	}

	async #address(element: Element, attribute: string): Promise<void> {
		const address = element.getAttribute(attribute) ?? '';
		const path = await this.#files.find(address, this.path);
		if (path !== null)
			element.setAttribute(attribute, inertAddress(dataAddress(path, await this.environment.readBytes(path))));
		else this.#notThere(element, attribute);
	}

	async #sourceSet(element: Element): Promise<void> {
		const parts = (element.getAttribute('srcset') ?? '').split(',').map((part) => part.trim().split(/\s+/));
		const made: string[] = [];
		for (const [address = '', ...size] of parts) {
			const path = await this.#files.find(address, this.path);
			const value = path === null ? address : dataAddress(path, await this.environment.readBytes(path));
			made.push([value, ...size].join(' '));
		}
		element.setAttribute('srcset', made.join(', '));
	}

	async #styleText(text: string, from: string): Promise<string> {
		let changed = text;
		for (const [whole, , address = ''] of text.matchAll(/url\(\s*(['"]?)([^'")]+)\1\s*\)/g)) {
			const path = await this.#files.find(address, from);
			if (path === null) continue;
			const value = dataAddress(path, await this.environment.readBytes(path));
			changed = changed.replace(whole, () => `url("${value}")`);
		}
		return changed;
	}

	#notThere(element: Element, attribute: string): void {
		const address = element.getAttribute(attribute) ?? '';
		if (address === '' || isElsewhere(address)) return;
		this.#warnings.push(`${this.path}: <${element.localName}> names ${address}, which is not in the project.`);
	}

	#warn(output: string): void {
		if (output !== '') this.#warnings.push(output);
	}

	#name(): string {
		return `part${++this.#lastName}`;
	}
}

/** Escapes text so that it cannot close the surrounding element. */
function closed(text: string, element: 'script' | 'style'): string {
	return text.replace(new RegExp(`</(?=${element})`, 'gi'), '<\\/');
}
