import '../../../../../src/environment/wasm/build/shims/globals.ts';
import type { ProcessContext } from '../../../../../src/environment/wasm/process/program.ts';
import { node } from '../../../../../src/environment/wasm/node/program.ts';

/** The bundled program, callable by the host that stands in for a worker. */
Object.assign(globalThis, { runProgram: (context: ProcessContext) => node(context) });
