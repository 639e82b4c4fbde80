import { Buffer } from 'buffer';
import process from './process.ts';

/** Imported first by each program: globals that its libraries expect. */
Object.assign(globalThis, { Buffer, process });

// Node has these symbols and not every browser does. Without them, each library would create its own.
for (const name of ['dispose', 'asyncDispose']) {
	if (!Reflect.has(Symbol, name)) Object.assign(Symbol, { [name]: Symbol.for(`Symbol.${name}`) });
}
