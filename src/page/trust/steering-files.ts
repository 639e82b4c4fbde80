import type { ExecutionEnvironment } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';

/** Something in a repository that would steer an agent. */
export interface SteeringFile {
	kind: 'instructions' | 'skill' | 'command' | 'script';
	path: string;
	/** A script's name and command. */
	name?: string;
	text?: string;
}

const INSTRUCTIONS = /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI)\.md$|^\.codex\/instructions\.md$/;
const SKILLS = /^\.(?:claude|agents|codex)\/skills\/.+\/SKILL\.md$/;
const COMMANDS = /^\.(?:claude\/commands|gemini\/commands|codex\/prompts)\/.+\.(?:md|toml)$/;

/** Finds steering files: searches three levels of folders, and the agents' own folders more deeply. */
export async function findSteeringFiles(environment: ExecutionEnvironment): Promise<SteeringFile[]> {
	const found: SteeringFile[] = [];
	const entries = await environment.listDirectory('.', 3);
	const paths = entries.filter(({ kind }) => kind === 'file').map(({ path }) => path);
	for (const folder of ['.claude', '.agents', '.codex', '.gemini']) {
		if (!entries.some((entry) => entry.path === folder && entry.kind === 'directory')) continue;
		for (const entry of await environment.listDirectory(folder, 5)) {
			const path = `${folder}/${entry.path}`;
			if (entry.kind === 'file' && !paths.includes(path)) paths.push(path);
		}
	}
	for (const path of paths) {
		if (path.startsWith('node_modules/') || path.includes('/node_modules/')) continue;
		if (INSTRUCTIONS.test(path)) found.push({ kind: 'instructions', path });
		else if (SKILLS.test(path)) found.push({ kind: 'skill', path });
		else if (COMMANDS.test(path)) found.push({ kind: 'command', path });
	}
	if (found.length > 0 && paths.includes('package.json')) found.push(...(await packageScripts(environment)));
	return found;
}

/** Scripts do not run automatically, so they are listed only together with instructions. */
async function packageScripts(environment: ExecutionEnvironment): Promise<SteeringFile[]> {
	try {
		const parsed: unknown = JSON.parse(await environment.readFile('package.json'));
		if (typeof parsed !== 'object' || parsed === null || !('scripts' in parsed)) return [];
		const { scripts } = parsed;
		if (typeof scripts !== 'object' || scripts === null) return [];
		return Object.entries(scripts).flatMap(([name, text]) =>
			typeof text === 'string' ? [{ kind: 'script' as const, path: 'package.json', name, text }] : []
		);
	} catch (error) {
		if (error instanceof SyntaxError || isEnvironmentError(error)) return [];
		throw error;
	}
}
