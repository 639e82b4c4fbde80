import type { ExecutionEnvironment } from '#environment/contract.ts';

const LFS = 'version https://git-lfs.github.com/spec/v1';

/** Differences between an import and a real clone, each a sentence. */
export async function importNotices(environment: ExecutionEnvironment): Promise<string[]> {
	const notices: string[] = [];
	if (await environment.fileExists('.gitmodules')) {
		const text = await environment.readFile('.gitmodules');
		const paths = [...text.matchAll(/^\s*path\s*=\s*(.+)$/gm)].map((match) => match[1]?.trim());
		notices.push(`Submodules are not imported: ${paths.join(', ')}.`);
	}
	const attributes = (await environment.fileExists('.gitattributes'))
		? await environment.readFile('.gitattributes')
		: '';
	if (/filter=lfs/.test(attributes)) {
		const pointers = await environment.grep(LFS, '.', { literal: true, output: 'files' });
		const files = pointers.split('\n').filter((line) => line !== '');
		if (files.length > 0) notices.push(lfsNotice(files.map((file) => file.replace(/^\.\//, ''))));
	}
	return notices;
}

/** Maximum names per sentence; the rest is counted. */
const NAMED = 5;

function lfsNotice(files: string[]): string {
	const names = files.slice(0, NAMED).join(', ') + (files.length > NAMED ? `, and ${files.length - NAMED} more` : '');
	return files.length === 1
		? `1 file is stored in Git LFS; only its pointer was imported: ${names}.`
		: `${files.length} files are stored in Git LFS; only their pointers were imported: ${names}.`;
}
