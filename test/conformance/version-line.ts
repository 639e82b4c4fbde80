import { execFileSync } from 'node:child_process';

/** First line of a program's version output. */
export function versionLine(program: string): string {
	const [line = program] = execFileSync(program, ['--version'], { encoding: 'utf8' }).split('\n');
	return line.trim();
}
