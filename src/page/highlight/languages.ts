import type { Language } from '@codemirror/language';

type Load = () => Promise<Language['parser']>;

const script = (dialect: 'javascriptLanguage' | 'jsxLanguage' | 'typescriptLanguage' | 'tsxLanguage'): Load => {
	return async () => (await import('@codemirror/lang-javascript'))[dialect].parser;
};
const html: Load = async () => (await import('@codemirror/lang-html')).htmlLanguage.parser;
const css: Load = async () => (await import('@codemirror/lang-css')).cssLanguage.parser;
const json: Load = async () => (await import('@codemirror/lang-json')).jsonLanguage.parser;
const markdown: Load = async () => (await import('@codemirror/lang-markdown')).markdownLanguage.parser;
const python: Load = async () => (await import('@codemirror/lang-python')).pythonLanguage.parser;

/** Grammars by file extension and by language name of a code block. */
const GRAMMARS: ReadonlyMap<string, Load> = new Map([
	...names(['js', 'mjs', 'cjs', 'javascript'], script('javascriptLanguage')),
	...names(['jsx'], script('jsxLanguage')),
	...names(['ts', 'mts', 'cts', 'typescript'], script('typescriptLanguage')),
	...names(['tsx'], script('tsxLanguage')),
	...names(['html', 'htm', 'svelte', 'vue', 'svg', 'xml'], html),
	...names(['css', 'scss'], css),
	...names(['json', 'jsonc', 'webmanifest'], json),
	...names(['md', 'markdown'], markdown),
	...names(['py', 'python'], python)
]);

/** Grammar for a language name or a path's extension; `undefined` if there is none. */
export function grammarOf(name: string): Load | undefined {
	return GRAMMARS.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}

function names(all: string[], load: Load): [string, Load][] {
	return all.map((name) => [name, load]);
}
