import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import type { PermissionDecision, PermissionRequest } from '#agent/guards/permission-types.ts';
import { printable } from '../printable.ts';

const NO_TERMINAL: PermissionDecision = {
	kind: 'deny_explain',
	explanation: 'There is no user to ask: the command runs without a terminal. Find a way that needs no permission.'
};

/**
 * Asks a permission question on the terminal, on standard error. Without a terminal the answer is no, with an
 * explanation for the model. Rejects only when the signal fires.
 */
export async function askOnTerminal(request: PermissionRequest, signal: AbortSignal): Promise<PermissionDecision> {
	if (!process.stdin.isTTY || !process.stderr.isTTY) return NO_TERMINAL;
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	try {
		process.stderr.write(`\n${printable(request.description)}\n  ${printable(request.reason)}\n`);
		for (const line of effectLines(request)) process.stderr.write(`  ${printable(line)}\n`);
		const canRemember = request.rules.length > 0;
		const question = canRemember ? 'Allow? [y]es, [s]ession, [n]o: ' : 'Allow? [y]es, [n]o: ';
		for (;;) {
			const answer = (await terminal.question(question, { signal })).trim().toLowerCase();
			if (answer === 'y' || answer === 'yes') return { kind: 'allow_once' };
			if (canRemember && (answer === 's' || answer === 'session')) return { kind: 'allow_session' };
			if (answer === 'n' || answer === 'no') return { kind: 'deny' };
		}
	} finally {
		terminal.close();
	}
}

function effectLines({ effects }: PermissionRequest): string[] {
	if (!effects) return [];
	return [
		...effects.files.map(({ path, kind }) => `${kind} ${path}`),
		...effects.moreFiles.map(({ directory, count }) => `and ${count} more files in ${directory}`),
		...effects.hosts.map((host) => `reaches ${host}`),
		...effects.servers.map((port) => `listens on port ${port}`),
		...effects.signals.map((target) => `signals ${target}`),
		...effects.leftRunning.map((command) => `leaves running: ${command}`),
		...(effects.unnamed ? ['was refused something that cannot be named'] : [])
	];
}
