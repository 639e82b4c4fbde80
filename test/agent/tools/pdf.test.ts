import { expect, it } from 'vitest';
import type { ExecResult } from '#environment/contract.ts';
import { DelegatingEnvironment } from '#environment/wrappers/delegating.ts';
import { isPdf, quoted } from '#agent/tools/documents/pdf.ts';
import { createHarness } from '#test/contract/tools/harness.ts';
import { pdfFile } from '#test/contract/tools/pdf-file.ts';
import { temporaryEnvironment } from '../fake-session.ts';

const RESULT: ExecResult = { stdout: '', stderr: '', exitCode: 0, timedOut: false, durationMs: 1 };

/** Reads a PDF with `pdftotext` exiting as given. */
async function readWhere(result: Partial<ExecResult>): Promise<{ content: string; commands: string[] }> {
	const commands: string[] = [];
	const environment = new (class extends DelegatingEnvironment {
		override exec(command: string): Promise<ExecResult> {
			commands.push(command);
			return Promise.resolve({ ...RESULT, ...result });
		}
	})(await temporaryEnvironment());
	await environment.writeFile('$(touch x) a.pdf', pdfFile([['text']]));
	const { content } = await createHarness(environment).call('read', { path: '$(touch x) a.pdf' });
	return { content, commands };
}

it('says what is missing where a machine has no pdftotext, and names the file so that no shell reads it', async () => {
	const { content, commands } = await readWhere({ exitCode: 127, stderr: 'bash: pdftotext: command not found' });
	expect(content).toMatch(/is a PDF, and there is no pdftotext here to read it\. Install it \(.*poppler/);
	expect(commands).toEqual([expect.stringMatching(/^pdftotext [-\w ]+ '\/\S+\/\$\(touch x\) a\.pdf' -$/)]);
});

it('gives up on a PDF that takes too long, and says how to read a part', async () => {
	expect((await readWhere({ timedOut: true, exitCode: 124 })).content).toMatch(/took over 60 s\. Read a part of it: /);
});

it('says that a long one has more', async () => {
	const { content } = await readWhere({ stdout: Array.from({ length: 300 }, (_, page) => `p${page}\f`).join('') });
	expect(content).toContain('--- Page 300 ---\np299');
	expect(content).toContain('[The first 300 pages. There may be more: `pdftotext -f 301 ');
});

const NAME = '$(touch x) a.pdf';
const QUOTED = String.raw`'/\S+/\$\(touch x\) a\.pdf'`;

it.each<[string, Partial<ExecResult>, RegExp]>([
	[
		'is locked',
		{ exitCode: 1, stderr: 'Command Line Error: Incorrect password' },
		/ is a PDF that is locked with a password\. Ask the user for an unlocked copy\.$/
	],
	[
		'is damaged',
		{ exitCode: 3, stderr: '  Syntax Error: no trailer\nmore\n' },
		/ is a PDF that cannot be read: Syntax Error: no trailer$/
	],
	['fails in silence', { exitCode: 1 }, / is a PDF that cannot be read: $/],
	[
		'has no text on its one page',
		{ stdout: '  \n\f' },
		/ is a PDF of 1 page without text: scanned, or pictures only\. Nothing here reads text in pictures; ask the user for it\.$/
	],
	['has no text on its pages', { stdout: '\f\n\f' }, / is a PDF of 2 pages without text/],
	[
		'takes too long',
		{ timedOut: true, exitCode: 124, stderr: 'password' },
		new RegExp(` is a PDF whose text took over 60 s\\. Read a part of it: \`pdftotext -f 1 -l 5 ${QUOTED} -\`\\.$`)
	],
	[
		'meets no pdftotext',
		{ exitCode: 127, stderr: 'password' },
		/ Install it \(on Debian and Ubuntu: poppler-utils; with Homebrew: poppler\), or ask the user for the text\.$/
	]
])('says what to do about a PDF that %s', async (_, result, said) => {
	const { content } = await readWhere(result);
	expect(content).toMatch(said);
	expect(content.startsWith(`${NAME} is a PDF`)).toBe(true);
});

it('shows each page under its number, and only the last line end is none of it', async () => {
	expect((await readWhere({ stdout: ' one\n\n\ftwo\f' })).content).toBe('--- Page 1 ---\none\n\n--- Page 2 ---\ntwo\n');
	const last = (await readWhere({ stdout: 'x\f'.repeat(299) })).content;
	expect(last).toMatch(/--- Page 299 ---\nx\n$/);
	expect((await readWhere({ stdout: 'x\f'.repeat(300) })).content).toMatch(
		new RegExp(`There may be more: \`pdftotext -f 301 ${QUOTED} -\`\\.\\]\n$`)
	);
});

it('asks for 300 pages as they are laid out, within a minute', async () => {
	expect((await readWhere({ stdout: 'x' })).commands[0]).toMatch(
		new RegExp(`^pdftotext -layout -enc UTF-8 -l 300 ${QUOTED} -$`)
	);
});

it('takes a PDF for one by its first bytes, whatever its name', () => {
	const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
	expect(isPdf(bytes('%PDF-1.7'))).toBe(true);
	expect(isPdf(bytes('%PDF-'))).toBe(true);
	for (const other of ['%PDF', ' %PDF-', 'PDF-1.7', '']) expect(isPdf(bytes(other))).toBe(false);
});

it.each([
	['a/b-c_1.txt', 'a/b-c_1.txt'],
	['~/a.txt', '~/a.txt'],
	['a b', "'a b'"],
	['~/a b', "~/'a b'"],
	['a$b', "'a$b'"],
	['', "''"]
])('writes the path %j for a shell as %s', (path, word) => {
	expect(quoted(path)).toBe(word);
});
