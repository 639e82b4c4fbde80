import { expect, it } from 'vitest';
import type { ExecResult } from '#environment/contract.ts';
import { DelegatingEnvironment } from '#environment/wrappers/delegating.ts';
import { createHarness } from '#test/contract/tools/harness.ts';
import { pdfFile } from '#test/contract/tools/pdf-file.ts';
import { temporaryEnvironment } from '../fake-session.ts';

const RESULT: ExecResult = { stdout: '', stderr: '', exitCode: 0, timedOut: false, durationMs: 1 };

/** Reads a PDF where `pdftotext` ends like this. */
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
