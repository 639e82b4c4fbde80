#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { ExitCode } from './exit-codes.ts';
import { HELP, UsageError, type Topic } from './usage.ts';

type Command = (args: string[]) => Promise<number>;

/** Commands by name; each is loaded on first use. */
const COMMANDS: Readonly<Record<Exclude<Topic, 'sandglass'>, () => Promise<Command>>> = {
	serve: async () => (await import('./serve.ts')).serve,
	run: async () => (await import('./run/run.ts')).run,
	verify: async () => (await import('./verify/verify.ts')).verify
};

/** Names of errors of the server and of shares; their classes are only loaded with the commands. */
const EXPECTED = new Set(['ConfigurationError', 'ShareError']);

const isCommand = (name: string): name is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, name);

async function main([first = 'serve', ...rest]: string[]): Promise<number> {
	if (first === '--help' || first === '-h' || first === 'help') {
		const [topic = 'sandglass'] = rest;
		process.stdout.write(isCommand(topic) ? HELP[topic] : HELP.sandglass + '\n' + HELP.serve);
		return ExitCode.ok;
	}
	if (first === '--version' || first === '-v') {
		process.stdout.write(`${version()}\n`);
		return ExitCode.ok;
	}
	const [name, args] = first.startsWith('-') ? ['serve', [first, ...rest]] : [first, rest];
	if (!isCommand(name))
		throw new UsageError(`There is no command ${JSON.stringify(name)}. \`sandglass --help\` lists the commands.`);
	if (args.includes('--help') || args.includes('-h')) {
		process.stdout.write(HELP[name]);
		return ExitCode.ok;
	}
	const command = await COMMANDS[name]();
	return command(args);
}

/** Version of the package that contains this file, compiled or not. */
function version(): string {
	for (let folder = new URL('./', import.meta.url); ; folder = new URL('../', folder)) {
		const found = versionIn(new URL('package.json', folder));
		if (found !== undefined) return found;
		if (folder.pathname === '/') return 'unknown';
	}
}

function versionIn(file: URL): string | undefined {
	try {
		const content = JSON.parse(readFileSync(file, 'utf8')) as { version?: string };
		return content.version;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
		throw error;
	}
}

main(process.argv.slice(2)).then(
	(code) => {
		process.exitCode = code;
	},
	(error: unknown) => {
		console.error(isExpected(error) && error instanceof Error ? error.message : error);
		process.exitCode = isUsage(error) ? ExitCode.usage : ExitCode.failed;
	}
);

function isUsage(error: unknown): boolean {
	if (error instanceof UsageError) return true;
	return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}

/** Returns true for errors whose message is written for users; for others, the stack trace is printed. */
function isExpected(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	return isUsage(error) || error.constructor === Error || EXPECTED.has(error.name);
}
