import { inspect } from 'node-inspect-extracted';
import { evaluate } from './loader/evaluate.ts';
import { prepareCommonJs } from './loader/transform.ts';
import type { Machine } from './machine.ts';
import { Interface } from './modules/readline.ts';
import { NODE_VERSION, ProcessExit } from './runtime/process.ts';
import { defineScriptGlobals } from './script-globals.ts';

const HELP = `.break   Leave out what was typed of this statement
.exit    End the program, as Ctrl-D does
.help    Print these lines
`;
/** V8's words for a text that only lacks its end. */
const UNFINISHED = /^(Unexpected end of input|missing \) after argument list|Unterminated template literal)$/;

/** `node` at a terminal: reads a statement, runs it in the global scope, prints what it gives, until Ctrl-D. */
export function startRepl(machine: Machine): void {
	const { process, loop } = machine.runtime;
	const { stdin: input, stdout: output } = process;
	defineScriptGlobals(machine, '[repl]');
	output.write(`Welcome to Node.js ${NODE_VERSION}.\nType ".help" for more information.\n`);
	const lines = new Interface({ input, output });
	let typed = '';
	let count = 0;
	const show = (value: unknown) => {
		Reflect.set(globalThis, '_', value);
		output.write(`${inspect(value, { colors: true })}\n`);
	};
	const fail = (error: unknown) => {
		if (error instanceof ProcessExit) throw error;
		const told = error instanceof Error ? (error.stack ?? String(error)) : inspect(error, { colors: true });
		output.write(`Uncaught ${told.replace(/\n +at REPL\d+:.*/g, '')}\n`);
	};
	const prompt = () => {
		lines.setPrompt(typed === '' ? '> ' : '... ');
		lines.prompt();
	};
	const run = async (text: string): Promise<void> => {
		try {
			const result = runStatement(text, `REPL${++count}`);
			show(result.isPromised ? await loop.holdWhile(Promise.resolve(result.value)) : result.value);
		} catch (error) {
			if (error instanceof SyntaxError && UNFINISHED.test(error.message)) {
				typed = text;
				return;
			}
			fail(error);
		}
		typed = '';
	};
	lines.on('line', (line: string) => {
		const command = line.trim();
		if (command === '.exit') return lines.close();
		if (command === '.break' || command === '.clear') typed = '';
		else if (command === '.help') output.write(HELP);
		else if (typed !== '' || command !== '') {
			return void run(typed === '' ? line : `${typed}\n${line}`).then(() => loop.enter(prompt));
		}
		prompt();
	});
	lines.on('close', () => process.exit());
	prompt();
}

/** @throws whatever the statement throws; a SyntaxError where it is none */
function runStatement(text: string, name: string): { value: unknown; isPromised: boolean } {
	const isObject = /^\s*\{/.test(text) && !/;\s*$/.test(text);
	const script = prepareCommonJs(kept(isObject ? `(${text})` : text));
	try {
		return { value: evaluate(script, name), isPromised: false };
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		if (/\bawait\b/.test(text)) return { value: runAwaiting(text, name), isPromised: true };
		if (!isObject) throw error;
		return { value: evaluate(prepareCommonJs(kept(text)), name), isPromised: false };
	}
}

/** Declared names stay for the next statement: those of `const`, `let` and `class` would be the evaluated text's alone. */
const kept = (text: string): string =>
	text.replace(/^(const|let)\b/gm, 'var').replace(/^class\s+(\w+)/gm, 'var $1 = class $1');

/** A statement that awaits, as the body of an async function; what it declares is the global scope's. */
function runAwaiting(text: string, name: string): unknown {
	const [, declared, value] = /^\s*(?:const|let|var)\s+([\w$]+)\s*=\s*([^]*?);?\s*$/.exec(text) ?? [];
	const bodies = declared
		? [`globalThis.${declared} = ${value}; return undefined;`]
		: [`return (${text.replace(/;\s*$/, '')}\n);`, text];
	for (const [index, body] of bodies.entries()) {
		try {
			return evaluate(prepareCommonJs(`(async () => { ${body} })()`), name);
		} catch (error) {
			if (!(error instanceof SyntaxError) || index === bodies.length - 1) throw error;
		}
	}
	return undefined;
}
