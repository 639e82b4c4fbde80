import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import packaging from './fixtures/packaging-26.json' with { type: 'json' };
import { PackageIndex } from './package-index.ts';
import { pythonSandbox } from './sandbox.ts';

let sandbox: ExecutionEnvironment;
const index = new PackageIndex('https://index.test/simple/');
/** The first interpreter of a page is slow on a busy machine. */
const LIMIT_MS = 170_000;
const run = (command: string) =>
	sandbox.exec(`export PIP_INDEX_URL=${index.address}; ${command}`, { timeoutMs: LIMIT_MS });

/** Compares with what the library `packaging` answered, in the order of its versions too. */
const COMPARE = `
import json
from pip.requirements import Marker
from pip import requirements, versions
answers = json.load(open('packaging.json'))
def satisfies(version, specifiers):
    try: return versions.satisfies(version, specifiers)
    except versions.Invalid: return None
here = {**requirements.environment(), 'python_version': '3.14', 'python_full_version': '3.14.2', 'implementation_version': '3.14.2'}
requirements.environment = lambda: here
differing = [case for case in answers['satisfies'] if satisfies(*case[:2]) != case[2]]
differing += [case for case in answers['markers'] if Marker(case[0]).holds(case[1]) != case[2]]
keys = [versions.order(version) for version in answers['sorted']]
print(json.dumps({'differing': differing, 'sorted': keys == sorted(keys), 'count': len(answers['satisfies']) + len(answers['markers'])}))
`;

/** Creates wheels and archives of sources from `packages.json`: file name → path → text. */
const BUILD = `
import io, json, tarfile, zipfile
for name, files in json.load(open('packages.json')).items():
    if not name.endswith('.tar.gz'):
        with zipfile.ZipFile(name, 'w') as archive:
            for path, text in files.items(): archive.writestr(path, text)
        continue
    with tarfile.open(name, 'w:gz') as archive:
        for path, text in files.items():
            member = tarfile.TarInfo(path)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
`;

const wheel = (name: string, version: string, ...needs: string[]) => ({
	[`${name}-${version}-py3-none-any.whl`]: {
		[`${name}.py`]: `version = '${version}'\n`,
		[`${name}-${version}.dist-info/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${needs.map((need) => `Requires-Dist: ${need}\n`).join('')}`,
		[`${name}-${version}.dist-info/RECORD`]: `${name}.py,,\n`
	}
});

const SETUP = `
import sys
from distutils.errors import CompileError
from setuptools import setup, find_packages, Command
from setuptools.command.test import test

class Tests(test):
    def run(self): raise CompileError

setup(name='aged', version=open('VERSION').read().strip(), cmdclass={'test': Tests}, packages=find_packages(exclude=['tests']),
      py_modules=['single'], install_requires=['leaf'], extras_require={':python_version<"3"': ['nowhere']},
      entry_points={'console_scripts': ['aged-it = aged.command:main']})
`;

/** Real shapes of archives: setuptools with a setup.py, Flit, Poetry, extensions that the code does without or not. */
const SOURCES: Record<string, Record<string, string>> = {
	'aged-1.2.tar.gz': {
		'aged-1.2/setup.py': SETUP,
		'aged-1.2/VERSION': '1.2\n',
		'aged-1.2/aged/__init__.py': '',
		'aged-1.2/aged/words.txt': 'data\n',
		'aged-1.2/aged/command/__init__.py':
			'import pathlib, aged\ndef main(): print(pathlib.Path(aged.__file__).with_name("words.txt").read_text().strip())\n',
		'aged-1.2/single.py': '',
		'aged-1.2/tests/__init__.py': ''
	},
	'flat.it-2.0.zip': {
		'flat.it-2.0/pyproject.toml':
			'[build-system]\nbuild-backend = "flit_core.buildapi"\n[project]\nname = "flat.it"\ndynamic = ["version"]\n[tool.flit.module]\nname = "flat"\n',
		'flat.it-2.0/PKG-INFO': 'Metadata-Version: 2.1\nName: flat.it\nVersion: 2.0\n\n',
		'flat.it-2.0/src/flat.py': 'x = 41\n'
	},
	'quick-1.0.tar.gz': {
		'quick-1.0/setup.py':
			'from setuptools import setup, Extension\nsetup(name="quick", version="1.0", packages=["quick"], ext_modules=[Extension("quick._fast", ["quick/_fast.c"])])\n',
		'quick-1.0/quick/__init__.py': 'try:\n\tfrom ._fast import x\nexcept ImportError:\n\tx = 41\n',
		'quick-1.0/quick/_fast.c': ''
	},
	'bound-1.0.tar.gz': {
		'bound-1.0/setup.py':
			'from setuptools import setup, Extension\nsetup(name="bound", version="1.0", packages=["bound"], ext_modules=[Extension("bound._fast", [])])\n',
		'bound-1.0/bound/__init__.py': 'from ._fast import x\n'
	},
	'rusty-1.0.tar.gz': {
		'rusty-1.0/pyproject.toml':
			'[build-system]\nbuild-backend = "maturin"\n[project]\nname = "rusty"\nversion = "1.0"\n',
		'rusty-1.0/rusty/__init__.py': ''
	},
	'hostile-1.0.tar.gz': { '../../escaped.py': 'x = 1\n' },
	'outside-1.0.tar.gz': {
		'outside-1.0/setup.py':
			'from setuptools import setup\nsetup(name="outside", version="1.0", packages=["../../lib"], package_dir={"../../lib": "lib"})\n',
		'outside-1.0/lib/__init__.py': ''
	}
};

const WHEELS = {
	...wheel('leaf', '1.0'),
	...wheel('leaf', '1.5'),
	...wheel('leaf', '2.0'),
	...wheel('leaf', '3.0rc1'),
	...wheel('wants_old', '1.0', 'leaf<2,>=1'),
	...wheel('wants_new', '1.0', 'leaf>=2'),
	...wheel('wants_any', '1.0', "leaf; python_version >= '3.8' and (extra == 'none' or os_name == 'posix')")
};

beforeAll(async () => {
	sandbox = await pythonSandbox((request) => index.answer(request));
	await sandbox.writeFile('build.py', BUILD);
	await sandbox.writeFile('packages.json', JSON.stringify({ ...SOURCES, ...WHEELS }));
	await run('python3 build.py');
	for (const name of Object.keys({ ...SOURCES, ...WHEELS })) index.files.set(name, await sandbox.readBytes(name));
}, LIMIT_MS);
afterAll(() => sandbox.cleanup());

it('orders versions and judges specifiers and markers as the library packaging does', async () => {
	await sandbox.writeFile('packaging.json', JSON.stringify(packaging));
	await sandbox.writeFile('compare.py', COMPARE);
	const { stdout, stderr } = await run('python3 compare.py');
	expect(stderr).toBe('');
	expect(JSON.parse(stdout)).toEqual({
		differing: [],
		sorted: true,
		count: packaging.satisfies.length + packaging.markers.length
	});
});

it('installs packages that exist as sources only, with their data, commands and requirements', async () => {
	const aged = await run('pip install aged && aged-it && cd / && python3 -c "import aged, single, leaf"; pip freeze');
	expect(aged).toMatchObject({ stderr: '' });
	expect(aged.stdout).toMatch(/Successfully installed aged-1\.2 leaf-2\.0\ndata\naged==1\.2\nleaf==2\.0\n$/u);
	const site = '~/.local/lib/python3.14/site-packages';
	expect((await run(`ls ${site} | grep -c '^tests$'; pip uninstall -yq aged leaf; ls ${site}`)).stdout).toBe('0\n');
	const others = await run('pip install -q flat-it quick; python3 -c "import flat, quick; print(flat.x, quick.x)"');
	expect(others).toMatchObject({ stdout: '41 41\n', stderr: '' });
	expect((await run(`ls ${site}/quick; pip uninstall -yq flat-it quick`)).stdout).toBe('__init__.py\n__pycache__\n');
});

it('refuses sources that have to be compiled, and archives that write elsewhere', async () => {
	for (const [name, message] of [
		['bound', 'bound 1.0 has parts to be compiled for a machine'],
		['rusty', 'has parts to be compiled for a machine'],
		['hostile', 'hostile-1.0.tar.gz is damaged or refused'],
		['outside', 'would be outside of the site directory']
	] as const)
		expect(await run(`pip install ${name}`)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(message) });
	expect((await run('find / -name "escaped.py" 2> /dev/null; pip freeze; ls /tmp')).stdout).toBe('');
});

it('takes the version that all dependents accept, and names them where there is none', async () => {
	const { stdout, stderr } = await run(
		'pip install wants_any wants_old && python3 -c "import leaf; print(leaf.version)"'
	);
	expect(stderr).toBe('');
	expect(stdout).toContain('Successfully installed leaf-1.5 wants_any-1.0 wants_old-1.0\n1.5\n');
	const conflict = await run('pip uninstall -yq leaf wants_any wants_old; pip install wants_old wants_new; pip freeze');
	expect(conflict.stderr).toContain('It is asked for as leaf<2,>=1 by wants-old, leaf>=2 by wants-new.');
	expect(conflict.stdout).not.toContain('==');
	const early = await run('pip install "leaf>=3rc1"; pip uninstall -yq leaf');
	expect(early.stdout).toContain('Successfully installed leaf-3.0rc1\n');
});

it('installs from an address, checks its hash, and says what to do with repositories', async () => {
	const name = 'leaf-1.0-py3-none-any.whl';
	const address = `${index.address}leaf/${name}`;
	const hash = (await run(`sha256sum ${name}`)).stdout.slice(0, 64);
	expect((await run(`pip install ${address}#sha256=${hash}; pip uninstall -yq leaf`)).stdout).toContain(
		'Successfully installed leaf-1.0\n'
	);
	expect((await run(`pip install "leaf @ ${address}"; pip uninstall -yq leaf`)).stdout).toContain('leaf-1.0\n');
	for (const [words, message] of [
		[`${address}#sha256=${'0'.repeat(64)}`, 'does not match the hash in its address'],
		[`${index.address}nowhere/none.whl`, 'was not found'],
		['git+https://index.test/leaf.git', 'Clone the repository, and install the directory'],
		['"leaf >> 1"', "Invalid requirement: 'leaf >> 1'"],
		['"leaf; python_version ="', 'Invalid marker'],
		[`"leaf; ${'('.repeat(60)}"`, 'too many parentheses']
	] as const)
		expect(await run(`pip install ${words}`)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(message) });
});
