import { Marked, type Tokens } from 'marked';
import type { DocumentName } from './documents.ts';
import { addressFrom, DOCUMENTS } from './documents.ts';

const escaped = (text: string): string =>
	text.replace(/[&<>"]/g, (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter] ?? letter);

/** Anchor of a heading, as GitHub names it. */
const anchor = (heading: string): string =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, '')
		.trim()
		.replace(/\s/g, '-');

/**
 * Renders a document of the repository as a page.
 *
 * @param name path of the document in the repository
 * @param markdown its text
 */
export function documentPage(name: DocumentName, markdown: string): string {
	const marked = new Marked({
		renderer: {
			heading({ tokens, depth }: Tokens.Heading) {
				const words = this.parser.parseInline(tokens);
				return `<h${depth} id="${anchor(words.replace(/<[^>]*>/g, ''))}">${words}</h${depth}>\n`;
			},
			link({ href, tokens }: Tokens.Link) {
				const words = this.parser.parseInline(tokens);
				const address = addressFrom(name, href);
				return address === null ? words : `<a href="${escaped(address)}">${words}</a>`;
			},
			table(token: Tokens.Table) {
				const row = (cells: Tokens.TableCell[], tag: 'td' | 'th'): string =>
					`<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
				const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
				// It scrolls by itself where it is wider than the page, which the keyboard has to reach.
				return `<div class="table" tabindex="0" role="region" aria-label="Table">
<table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
			},
			code({ text }: Tokens.Code) {
				return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
			}
		}
	});
	const title = /^# (.+)$/m.exec(markdown)?.[1] ?? name;
	return frame(name, title, marked.parse(pictures(markdown), { async: false }));
}

/** Addresses of the screenshots, which lie beside the pages. */
const pictures = (markdown: string): string => markdown.replaceAll(/(src|srcset)="docs\//g, '$1="');

function frame(name: DocumentName, title: string, body: string): string {
	const links = Object.entries(DOCUMENTS).map(([document, [file, label]]) =>
		document === name ? `<b aria-current="page">${label}</b>` : `<a href="${file}.html">${label}</a>`
	);
	const heading = title === 'Sandglass' ? title : `${escaped(title)} – Sandglass`;
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${heading}</title>
<link rel="icon" href="/icon.svg" />
<link rel="stylesheet" href="document.css" />
</head>
<body>
<header><a href="/">Sandglass</a></header>
<nav aria-label="Documents">${links.join('\n')}</nav>
<main>
${body}</main>
</body>
</html>
`;
}
