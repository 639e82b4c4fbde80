import { createRequire } from 'node:module';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { CheckerServer } from '../diagnostics/typescript/serve.ts';
import type { Compiler } from '../diagnostics/typescript/compiler.ts';

/** Runs the language service in its own thread; `diagnostics/messages.ts` defines its messages. */
const { compilerPath, root } = z.object({ compilerPath: z.string(), root: z.string() }).parse(workerData);
// The package's own types describe it; there is nothing to parse.
const compiler = createRequire(compilerPath)(compilerPath) as Compiler;
const host = { compiler, system: compiler.sys, libraryDirectory: path.dirname(compilerPath), root };
const server = new CheckerServer(host, (line) => parentPort?.postMessage(line));
parentPort?.on('message', (line: unknown) => server.receive(String(line)));
