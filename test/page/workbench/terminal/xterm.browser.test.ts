import { expect, it, vi } from 'vitest';
import { showShell } from '#page/workbench/terminal/xterm.ts';

const WORD = 'rm -rf evil';
const ESC = '\u001b';
const BEL = '\u0007';
const hostile: Record<string, string> = {
	'writes the clipboard': `${ESC}]52;c;${btoa(WORD)}${BEL}`,
	'reads the clipboard': `${ESC}]52;c;?${BEL}`,
	'names the window': `${ESC}]0;${WORD}${BEL}${ESC}]2;${WORD}${BEL}`,
	'asks for the name it gave': `${ESC}[21t${ESC}[20t`,
	'asks who is there': `${ESC}[c${ESC}[>c${ESC}[=c${ESC}[5n${ESC}[6n${ESC}[?6n`,
	'asks for a setting by a name of its own': `${ESC}P$q${WORD}\r${ESC}\\${ESC}P+q${WORD}\r${ESC}\\`,
	'asks for a colour of its own': `${ESC}]4;0;${WORD}${BEL}${ESC}]4;0;?${BEL}${ESC}]10;?${BEL}`,
	'defines a key': `${ESC}P0;0|23/${WORD}\r${ESC}\\`,
	'moves and resizes the window': `${ESC}[3;0;0t${ESC}[8;900;900t${ESC}[2t`,
	'writes markup': `<img src=x onerror="document.title='${WORD}'"><script>document.title='${WORD}'</script>`,
	'links to a script': `${ESC}]8;;javascript:document.title='${WORD}'${BEL}click${ESC}]8;;${BEL}`,
	'opens a link to a page': `${ESC}]8;;https://evil.example/${BEL}click${ESC}]8;;${BEL}`
};

it('takes what a program prints for a picture only: nothing of it is typed, run, copied or put into the page', async () => {
	const typed: string[] = [];
	const resized: unknown[] = [];
	const put = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
	const got = vi.spyOn(navigator.clipboard, 'readText').mockResolvedValue(WORD);
	const opened = vi.spyOn(window, 'open').mockReturnValue(null);
	const copied = vi.spyOn(document, 'execCommand');
	const parent = document.createElement('div');
	parent.style.cssText = 'width: 900px; height: 500px';
	document.body.append(parent);
	const title = document.title;
	let print: (data: string) => void = () => undefined;
	let drawn: () => void = () => undefined;
	const view = showShell(parent, {
		terminal: {
			write: (data) => void typed.push(data),
			resize: (size) => void resized.push(size),
			onData: (listener) => ((print = listener), () => undefined),
			close: async () => undefined,
			exited: new Promise(() => undefined)
		},
		label: 'Terminal',
		hint: 'Alt+M leaves it',
		earlier: '',
		earlierNote: '',
		onOutput: () => drawn()
	});
	const sized = resized.length;
	for (const [what, bytes] of Object.entries(hostile)) {
		await new Promise<void>((resolve) => {
			drawn = resolve;
			print(`${bytes}after\r\n`);
		});
		// A terminal's automatic answers are sent to the program as if typed: never a line end, never attacker-chosen
		// text.
		expect(typed.join(''), what).not.toMatch(/[\r\n]|evil/);
		expect(document.title, what).toBe(title);
		expect(view.text(), what).toMatch(/after/); // it did read past it
	}
	expect(typed.join('')).toContain(`${ESC}[0n`); // it does answer: the check above was not vacuous
	expect(resized).toHaveLength(sized);
	expect(parent.querySelectorAll('a, img, script, iframe')).toHaveLength(0);
	for (const spy of [put, got, opened, copied]) expect(spy).not.toHaveBeenCalled();
	view.destroy();
	parent.remove();
});
