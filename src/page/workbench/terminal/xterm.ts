import { FitAddon } from '@xterm/addon-fit';
import { SerializeAddon } from '@xterm/addon-serialize';
import { Terminal as Xterm, type ITheme } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import type { Terminal } from '#environment/contract.ts';

/** Lines above the screen to keep across a reload. */
const KEPT_LINES = 1000;
const DIM = '\u001b[2m';
const PLAIN = '\u001b[0m';

export interface ShellView {
	/** Content with colors, in a form that a terminal can print again. */
	text(): string;
	fit(): void;
	focus(): void;
	retheme(): void;
	destroy(): void;
}

/** Parts of a view. */
export interface ShownShell {
	terminal: Terminal;
	label: string;
	/** Instructions for leaving it by keyboard. */
	hint: string;
	/** Shown above the shell's own output, with a line that says so; may be empty. */
	earlier: string;
	earlierNote: string;
	/** Called after output. */
	onOutput(): void;
}

/** Shows a shell in `parent`. Ending the view leaves the shell itself running. @public By a dynamic import of a component. */
export function showShell(parent: HTMLElement, shown: ShownShell): ShellView {
	const { terminal: shell, label, hint, earlier, earlierNote } = shown;
	const style = getComputedStyle(document.documentElement);
	const xterm = new Xterm({
		fontFamily: style.getPropertyValue('--mono'),
		fontSize: 12.5,
		lineHeight: 1.35,
		cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
		scrollback: 5000,
		minimumContrastRatio: 4.5,
		theme: themeOf(style)
	});
	const fit = new FitAddon();
	const serialize = new SerializeAddon();
	xterm.loadAddon(fit);
	xterm.loadAddon(serialize);
	xterm.open(parent);
	xterm.textarea?.setAttribute('aria-label', label);
	xterm.textarea?.setAttribute('aria-description', hint);
	xterm.attachCustomKeyEventHandler((event) => !isOfPage(event));
	const input = xterm.onData((data) => shell.write(data));
	const resize = xterm.onResize(({ cols, rows }) => shell.resize({ columns: cols, rows }));
	const refit = (): void => {
		// A hidden pane has no size; fitting to it would give the shell one column.
		if (parent.clientWidth > 40 && parent.clientHeight > 20) fit.fit();
	};
	const sizes = new ResizeObserver(refit);
	sizes.observe(parent);
	refit();
	if (earlier !== '') xterm.write(`${earlier}${PLAIN}\r\n${DIM}${earlierNote}${PLAIN}\r\n`);
	// A terminal that supports backpressure prints no faster than this one displays.
	const writing = new Set<() => void>();
	const output = shell.onData(
		(data) =>
			new Promise<void>((resolve) => {
				writing.add(resolve);
				xterm.write(data, () => {
					writing.delete(resolve);
					shown.onOutput();
					resolve();
				});
			})
	);
	return {
		text: () => serialize.serialize({ scrollback: KEPT_LINES, excludeModes: true, excludeAltBuffer: true }),
		fit: refit,
		focus: () => xterm.focus(),
		retheme: () => (xterm.options.theme = themeOf(getComputedStyle(document.documentElement))),
		destroy() {
			sizes.disconnect();
			output();
			for (const resolve of writing) resolve();
			input.dispose();
			resize.dispose();
			xterm.dispose();
		}
	};
}

/**
 * Returns true for the keys that the page handles, so that keyboard users are not trapped; Tab and all other keys go to
 * the shell.
 */
function isOfPage({ altKey, ctrlKey, metaKey, code }: KeyboardEvent): boolean {
	return altKey && !ctrlKey && !metaKey && /^(Digit[1-9]|KeyM)$/.test(code);
}

function themeOf(style: CSSStyleDeclaration): ITheme {
	const value = (name: string): string => style.getPropertyValue(name).trim();
	const dark = value('color-scheme') === 'dark';
	return {
		background: value('--sunk'),
		foreground: value('--ink'),
		cursor: value('--accent'),
		cursorAccent: value('--sunk'),
		selectionBackground: value('--selection'),
		black: dark ? '#3a372f' : '#1f1d1a',
		red: value('--bad'),
		green: value('--good'),
		yellow: value('--accent'),
		blue: dark ? '#8fb2e6' : '#2b5aa0',
		magenta: dark ? '#cfa0d8' : '#8a3f92',
		cyan: dark ? '#7fc4c4' : '#1f7474',
		white: dark ? '#d8d3c8' : '#655f55',
		brightBlack: value('--faint'),
		brightRed: value('--bad'),
		brightGreen: value('--good'),
		brightYellow: value('--accent'),
		brightBlue: dark ? '#a9c6f0' : '#2b5aa0',
		brightMagenta: dark ? '#deb6e6' : '#8a3f92',
		brightCyan: dark ? '#9ad6d6' : '#1f7474',
		brightWhite: value('--ink')
	};
}
