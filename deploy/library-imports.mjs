// Writes `dist/library/package.json`: the `#room/…` imports of the compiled library lead to its own files. Node and
// TypeScript take the nearest package.json, so the sources' map at the top is left to the sources.
import { writeFileSync } from 'node:fs';

const ROOMS = ['agent', 'cli', 'environment', 'llm', 'session', 'workspace'];

const imports = Object.fromEntries(ROOMS.map((room) => [`#${room}/*.ts`, `./${room}/*.js`]));
const file = new URL('../dist/library/package.json', import.meta.url);
writeFileSync(file, `${JSON.stringify({ type: 'module', imports }, null, '\t')}\n`);
