import DOMPurify from 'dompurify';
import { Marked } from 'marked';

const marked = new Marked({ gfm: true, breaks: false });

/** Text and structure only: nothing that loads, runs, styles, or takes input. */
const ALLOWED = {
	ALLOWED_TAGS: [
		...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'kbd'],
		...['strong', 'em', 'b', 'i', 'del', 's', 'sub', 'sup', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
		...['details', 'summary', 'img']
	],
	ALLOWED_ATTR: ['href', 'title', 'src', 'alt', 'start', 'align', 'class', 'open'],
	ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#|data:image\/(?:png|gif|jpeg|webp);base64,)/i
};

const purifier = DOMPurify();

purifier.addHook('afterSanitizeAttributes', (node) => {
	if (node.nodeName === 'A') {
		if (!/^(?:https?:|mailto:)/i.test(node.getAttribute('href') ?? '')) node.removeAttribute('href');
		node.setAttribute('target', '_blank');
		node.setAttribute('rel', 'noopener noreferrer');
	}
	// A remote image would reveal the reader to its host: its alternative text replaces it.
	if (node.nodeName === 'IMG' && !node.getAttribute('src')?.startsWith('data:')) {
		node.replaceWith(document.createTextNode(node.getAttribute('alt') ?? ''));
	}
	const className = node.getAttribute('class');
	if (className !== null && !/^language-[\w+-]+$/.test(className)) node.removeAttribute('class');
});

/**
 * Renders one block of untrusted markdown to HTML that is safe for the page; a `TrustedHTML` if the browser
 * supports them.
 */
export function renderBlock(markdown: string) {
	return purifier.sanitize(marked.parse(markdown, { async: false }), { ...ALLOWED, RETURN_TRUSTED_TYPE: true });
}

/** Markdown markup that is not displayed, but hides no words. */
const MARKS = /^\s*(?:>\s*)*(?:[-*+]\s+\[[ xX]\]\s|\d{1,9}[.)]\s)/gm;

/**
 * Returns true if rendering hides words of a text: comments, link definitions, titles, hidden HTML. The URL of a link
 * counts as visible, since the browser shows it.
 */
export function hidesWords(markdown: string): boolean {
	const drawn = purifier.sanitize(marked.parse(markdown, { async: false }), { ...ALLOWED, RETURN_DOM_FRAGMENT: true });
	const seen = [drawn.textContent];
	for (const link of drawn.querySelectorAll('a')) seen.push(link.getAttribute('href') ?? '');
	for (const code of drawn.querySelectorAll('code')) seen.push(code.className.replace(/^language-/, ''));
	const counts = new Map<string, number>();
	for (const word of words(seen.join('\n'))) counts.set(word, (counts.get(word) ?? 0) + 1);
	return words(markdown.replace(MARKS, '')).some((word) => {
		const left = (counts.get(word) ?? 0) - 1;
		counts.set(word, left);
		return left < 0;
	});
}

function words(text: string): string[] {
	return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}
