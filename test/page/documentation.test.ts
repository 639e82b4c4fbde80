import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentPage } from '#page/documentation/document-page.ts';
import { DOCUMENTS, type DocumentName } from '#page/documentation/documents.ts';

const names = Object.keys(DOCUMENTS) as DocumentName[];
const built = new Map(
	names.map((name) => [`${DOCUMENTS[name][0]}.html`, documentPage(name, readFileSync(name, 'utf8'))])
);

describe('the documents as pages', () => {
	it('link to each other, and every anchor exists', () => {
		const links = [...built].flatMap(([file, page]) =>
			[...page.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => ({ file, href }))
		);
		const dead = links.filter(({ file, href }) => {
			if (/^(https?:\/\/|\/$)/.test(href)) return false;
			const [target = '', anchor] = href.split('#');
			const page = built.get(target === '' ? file : target);
			return page === undefined || (anchor !== undefined && !page.includes(`id="${anchor}"`));
		});
		expect(links.some(({ href }) => href === 'configuration.html')).toBe(true);
		expect(dead).toEqual([]);
	});

	it('drop the links to files that are no page', () => {
		const page = documentPage(
			'docs/deploy.md',
			'# Title\n\n[licence](../LICENSE), [settings](configuration.md#set-up)\n'
		);
		expect(page).toContain('<p>licence, <a href="configuration.html#set-up">settings</a></p>');
	});

	it('run no script and show code as it is', () => {
		const page = documentPage('docs/cli.md', '# A & b\n\n```html\n<script>1</script>\n```\n');
		expect(page).toContain('&lt;script&gt;1&lt;/script&gt;');
		expect(page).toContain('<title>A &amp; b – Sandglass</title>');
	});
});
