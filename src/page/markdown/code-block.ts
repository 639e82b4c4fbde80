import { highlightLines } from '../highlight/highlight.ts';
import { announce } from '../live.svelte.ts';
import { t } from '../strings/index.ts';

/**
 * Highlights the code blocks of rendered markdown, makes them focusable and adds a copy button to each. @public By a
 * dynamic import of a component.
 */
export function finishCode(block: HTMLElement): void {
	for (const pre of block.querySelectorAll('pre')) {
		if (pre.hasAttribute('tabindex')) continue;
		const code = pre.querySelector('code') ?? pre;
		const text = code.textContent;
		// It may scroll, so it must be reachable by keyboard.
		pre.tabIndex = 0;
		pre.setAttribute('role', 'group');
		pre.setAttribute('aria-label', t.tool.code);
		const frame = document.createElement('div');
		frame.className = 'code';
		pre.replaceWith(frame);
		frame.append(pre, copyButton(text));
		const language = /^language-(.+)$/.exec(code.className)?.[1];
		if (language !== undefined) colour(code, language, text).catch(console.warn);
	}
}

async function colour(code: Element, language: string, text: string): Promise<void> {
	const lines = await highlightLines(language, text);
	// Rendered again meanwhile.
	if (!lines || code.textContent !== text) return;
	const nodes = lines.flatMap((line, index) => [
		...(index > 0 ? ['\n'] : []),
		...line.map((span) => {
			if (span.colour === '') return span.text;
			const node = document.createElement('span');
			node.className = span.colour;
			node.textContent = span.text;
			return node;
		})
	]);
	code.replaceChildren(...nodes);
}

function copyButton(text: string): HTMLButtonElement {
	const button = document.createElement('button');
	button.type = 'button';
	button.textContent = t.tool.copyCode;
	button.addEventListener('click', () => {
		navigator.clipboard.writeText(text).then(
			() => {
				button.textContent = t.tool.copied;
				announce(t.tool.copied);
			},
			() => announce(t.tool.notCopied)
		);
	});
	return button;
}
