import { Buffer } from 'buffer';
import process from './process.ts';

/** Imported first by each program: what its libraries expect to find globally. */
Object.assign(globalThis, { Buffer, process });

// Node has it and not every browser does. Where one lacks it, each library would make one of its own.
if (!Reflect.has(Symbol, 'dispose')) Object.assign(Symbol, { dispose: Symbol.for('Symbol.dispose') });
