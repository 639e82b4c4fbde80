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
	// A picture from elsewhere would tell its host who reads this: its words stand for it.
	if (node.nodeName === 'IMG' && !node.getAttribute('src')?.startsWith('data:')) {
		node.replaceWith(document.createTextNode(node.getAttribute('alt') ?? ''));
	}
	const className = node.getAttribute('class');
	if (className !== null && !/^language-[\w+-]+$/.test(className)) node.removeAttribute('class');
});

/** One block of markdown as HTML that is safe to put into the page, whoever wrote it; a `TrustedHTML` where there are such. */
export function renderBlock(markdown: string) {
	return purifier.sanitize(marked.parse(markdown, { async: false }), { ...ALLOWED, RETURN_TRUSTED_TYPE: true });
}

/** What markdown writes and does not draw, without hiding any words by it. */
const MARKS = /^\s*(?:>\s*)*(?:[-*+]\s+\[[ xX]\]\s|\d{1,9}[.)]\s)/gm;

/**
 * Whether words of a text are not to be seen once it is drawn: comments, link definitions, titles, what HTML hides. An
 * address under a link counts as seen, since the browser shows it.
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
