// Writes `dist/library-package/`: the library alone, without the page, the server and the command, for programs that
// embed it. The SDKs are left to those programs, since each is larger than all the rest and loaded only when used.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OPTIONAL = ['@anthropic-ai/sdk', '@google/genai', '@modelcontextprotocol/sdk', 'openai'];
const root = new URL('../', import.meta.url);
const target = new URL('dist/library-package/', root);

const { name, version, description, license, type, engines, exports, dependencies, peerDependencies } = JSON.parse(
	readFileSync(new URL('package.json', root), 'utf8')
);
const manifest = {
	...{ name, version, description, license, type, engines, exports },
	dependencies: Object.fromEntries(Object.entries(dependencies).filter(([each]) => !OPTIONAL.includes(each))),
	peerDependencies: {
		...peerDependencies,
		...Object.fromEntries(OPTIONAL.map((each) => [each, `^${dependencies[each]}`]))
	},
	peerDependenciesMeta: Object.fromEntries(
		[...Object.keys(peerDependencies), ...OPTIONAL].map((each) => [each, { optional: true }])
	)
};

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const command = fileURLToPath(new URL('dist/library/cli', root));
cpSync(new URL('dist/library/', root), new URL('dist/library/', target), {
	recursive: true,
	filter: (source) => source !== command
});
for (const file of ['LICENSE', 'README.md']) cpSync(new URL(file, root), new URL(file, target));
writeFileSync(new URL('package.json', target), `${JSON.stringify(manifest, null, '\t')}\n`);
