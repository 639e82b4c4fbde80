import { Buffer } from 'buffer';
import process from './process.ts';

/** Imported first by each program: what its libraries expect to find globally. */
Object.assign(globalThis, { Buffer, process });
