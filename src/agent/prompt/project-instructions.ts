import type { ExecutionEnvironment } from '#environment/contract.ts';

/** Maximum total size of all instruction files, in bytes (000 §6.5). */
const BUDGET_BYTES = 32 * 1024;
const TRUNCATED = '[Project instructions truncated at 32KB]';

export interface ProjectInstructions {
	/** Section of the prompt; empty if there are no instructions. */
	text: string;
	/** Absolute paths of the files. */
	paths: string[];
}

/**
 * Reads the project's instructions for agents: AGENTS.md and the profile's own files, from the repository's root down
 * to the working directory, so that deeper ones come later and take precedence.
 *
 * @param root the repository's root; `null`: only the working directory
 * @param fileNames the profile's files besides AGENTS.md
 */
export async function projectInstructions(
	environment: ExecutionEnvironment,
	root: string | null,
	fileNames: readonly string[]
): Promise<ProjectInstructions> {
	const paths: string[] = [];
	const sections: string[] = [];
	let left = BUDGET_BYTES;
	for (const directory of directoriesBetween(root, environment.workingDirectory()))
		for (const name of ['AGENTS.md', ...fileNames]) {
			const path = `${directory === '/' ? '' : directory}/${name}`;
			const text = await environment.readFile(path).catch(() => '');
			if (!text.trim()) continue;
			paths.push(path);
			const bytes = new TextEncoder().encode(text);
			if (bytes.length > left) {
				const kept = new TextDecoder().decode(bytes.subarray(0, left)).replace(/\ufffd+$/, '');
				return { text: heading([...sections, `## ${path}\n${kept}\n${TRUNCATED}`]), paths };
			}
			left -= bytes.length;
			sections.push(`## ${path}\n${text.trim()}`);
		}
	return { text: sections.length ? heading(sections) : '', paths };
}

const heading = (sections: string[]): string =>
	`# Instructions of this project\nWhere they disagree, the later ones hold.\n\n${sections.join('\n\n')}`;

function directoriesBetween(root: string | null, working: string): string[] {
	if (root === null || root === working) return [working];
	const directories = [root];
	let at = root === '/' ? '' : root;
	for (const part of working.slice(at.length).split('/').filter(Boolean)) directories.push((at += `/${part}`));
	return directories;
}
