import { Buffer } from 'buffer';
import process from './process.ts';

/** Imported first by each program: what its libraries expect to find globally. */
Object.assign(globalThis, { Buffer, process });

// Node has it and not every browser does. Where one lacks it, each library would make one of its own.
for (const name of ['dispose', 'asyncDispose']) {
	if (!Reflect.has(Symbol, name)) Object.assign(Symbol, { [name]: Symbol.for(`Symbol.${name}`) });
}
