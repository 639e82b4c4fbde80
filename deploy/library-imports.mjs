// Writes `dist/library/package.json`, which maps the `#room/…` imports of the compiled library to its own files. Node
// and TypeScript use the nearest package.json, so the top-level map applies only to the sources.
import { writeFileSync } from 'node:fs';

const ROOMS = ['agent', 'cli', 'environment', 'llm', 'session', 'workspace'];

const imports = Object.fromEntries(ROOMS.map((room) => [`#${room}/*.ts`, `./${room}/*.js`]));
const file = new URL('../dist/library/package.json', import.meta.url);
writeFileSync(file, `${JSON.stringify({ type: 'module', imports }, null, '\t')}\n`);
