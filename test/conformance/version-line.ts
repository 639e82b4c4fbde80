import { execFileSync } from 'node:child_process';

/** First line of what a program of the machine says of its version. */
export function versionLine(program: string): string {
	const [line = program] = execFileSync(program, ['--version'], { encoding: 'utf8' }).split('\n');
	return line.trim();
}
