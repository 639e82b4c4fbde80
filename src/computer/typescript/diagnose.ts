import { LineSplitter } from '#environment/diagnostics/line-process.ts';
import { CheckerServer } from '#environment/diagnostics/typescript/serve.ts';
import { WORKSPACE } from '#computer/abi/paths.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { findCompiler, shippedCompiler } from './own-compiler.ts';
import { createSystem } from './system.ts';

const READ_BYTES = 64 * 1024;

/**
 * The program `typescript-diagnostics`: the language service over the volume, with requests on its standard input. It
 * uses the project's own compiler, as `tsc` does, so that both report the same; one too old for that is not used.
 */
export async function diagnose(context: ProcessContext): Promise<number> {
	let found = findCompiler(context);
	if (Number.parseInt(found.compiler.version) < 5) found = shippedCompiler(context);
	const { compiler, libraryDirectory, libraries } = found;
	const system = createSystem(context, compiler, libraryDirectory, libraries);
	compiler.setSys(system);
	const encoder = new TextEncoder();
	const server = new CheckerServer({ compiler, system, libraryDirectory, root: WORKSPACE }, (line) => {
		context.sync.write(1, encoder.encode(`${line}\n`));
	});
	const lines = new LineSplitter((line) => server.receive(line));
	const decoder = new TextDecoder();
	for (;;) {
		const bytes = await context.async.read(0, READ_BYTES);
		if (bytes.length === 0) break;
		lines.add(decoder.decode(bytes, { stream: true }));
	}
	server.stop();
	return 0;
}
