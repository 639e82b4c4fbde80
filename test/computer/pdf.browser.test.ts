import { afterAll, beforeAll, expect, it } from 'vitest';
import pdfUrl from '#computer/pdf/main.ts?program';
import shellUrl from '#computer/shell/main.ts?program';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { PROGRAMS } from '#computer/program-table.ts';
import { pdfFile } from '#test/contract/tools/pdf-file.ts';
import { sandboxInPage } from './in-page.ts';

let sandbox: ExecutionEnvironment;
const run = async (command: string) => {
	const { stdout, stderr, exitCode } = await sandbox.exec(command, { timeoutMs: 60_000 });
	return { stdout, stderr, exitCode };
};

beforeAll(async () => {
	sandbox = await sandboxInPage([
		{ ...PROGRAMS.shell, url: shellUrl },
		{ ...PROGRAMS.pdf, url: pdfUrl }
	]);
	await sandbox.writeFile('a.pdf', pdfFile([['Hello'], ['Second page', 'and its second line']]));
	await sandbox.writeFile('locked.pdf', pdfFile([['secret']], { locked: true }));
	await sandbox.writeFile('broken.pdf', 'no pdf');
});
afterAll(() => sandbox.cleanup());

/** Share of dark pixels in a picture. */
async function ink(path: string): Promise<{ width: number; height: number; dark: number }> {
	const bitmap = await createImageBitmap(new Blob([(await sandbox.readBytes(path)).slice()]));
	const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
	const context = canvas.getContext('2d')!;
	context.drawImage(bitmap, 0, 0);
	const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
	let dark = 0;
	for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 128 && data[at + 3] === 255) dark++;
	return { width: bitmap.width, height: bitmap.height, dark };
}

it('draws pages as pictures, with names as poppler gives them', async () => {
	expect(await run('pdftoppm -png -r 72 a.pdf page && ls page*')).toEqual({
		stdout: 'page-1.png\npage-2.png\n',
		stderr: '',
		exitCode: 0
	});
	const [first, second] = [await ink('page-1.png'), await ink('page-2.png')];
	expect(first).toMatchObject({ width: 612, height: 792 });
	expect(first.dark).toBeGreaterThan(20);
	expect(second.dark).toBeGreaterThan(first.dark * 2);
});

it('draws one page at a size, to a file or to standard output', async () => {
	expect((await run('pdftoppm -jpeg -f 2 -singlefile -scale-to 400 a.pdf small && file small.jpg')).stdout).toMatch(
		/JPEG/
	);
	expect(await ink('small.jpg')).toMatchObject({ width: 309, height: 400 });
	expect((await run('pdftoppm -png -singlefile a.pdf > out.png; file out.png')).stdout).toMatch(/PNG/);
});

it('draws no picture larger than the tab can hold', async () => {
	expect((await run('pdftoppm -png -singlefile -r 100000 a.pdf huge')).exitCode).toBe(0);
	const { width, height } = await ink('huge.png');
	expect(width * height).toBeLessThanOrEqual(40_100_000);
});

it('says how many pages there are, and refuses what it cannot read', async () => {
	expect((await run('pdfinfo a.pdf')).stdout).toMatch(/^Pages: {11}2\nPage size: {7}612 x 792 pts\nFile size: /);
	for (const command of ['pdfinfo', 'pdftoppm -png']) {
		expect(await run(`${command} absent.pdf`)).toMatchObject({ stdout: '', exitCode: 1 });
		expect(await run(`${command} locked.pdf`)).toMatchObject({
			stderr: 'Command Line Error: Incorrect password\n',
			exitCode: 3
		});
		expect(await run(`${command} broken.pdf`)).toMatchObject({ stderr: expect.stringMatching(/no PDF/), exitCode: 3 });
		expect(await run(`${command} -nonsense a.pdf`)).toMatchObject({ exitCode: 99 });
	}
	expect(await run('pdftoppm -png -f 3 a.pdf')).toMatchObject({ exitCode: 99 });
	expect((await run('pdftotext a.pdf -')).stdout).toBe('Hello\fSecond page\nand its second line\f');
});
