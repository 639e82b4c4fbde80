import { bash, edit, read, readWithStrings, write, type Task } from '../task.ts';

const TEST = `import pytest
from packaging.utils import canonicalize_name, canonicalize_version
from packaging.version import Version, InvalidVersion


@pytest.mark.parametrize("name, expected", [("Foo.Bar", "foo-bar"), ("a__b", "a-b"), ("x-Y", "x-y")])
def test_name(name, expected):
    assert canonicalize_name(name) == expected


def test_order():
    assert Version("1.0rc1") < Version("1.0") < Version("1.0.post1")


def test_invalid():
    with pytest.raises(InvalidVersion):
        Version("french toast")
`;

const ZEROS = `from packaging.utils import canonicalize_version


def test_zeros():
    assert canonicalize_version("1.0.0") == "1"
    assert canonicalize_version("1.0.10") == "1.0.10"
    assert canonicalize_version("1.0.0", strip_trailing_zero=False) == "1.0.0"
`;

/** packaging (Python), as published by node-gyp: a regression, with the model's own test under pytest. */
export const packaging: Task = {
	name: 'packaging',
	request: 'canonicalize_version leaves trailing zeros. Add a test that shows it, and fix it.',
	repository: {
		package: 'node-gyp',
		version: '11.2.0',
		below: 'gyp/pylib',
		without: ['gyp/'],
		files: {
			'.gitignore': '__pycache__\n.pytest_cache\n',
			'tests/test_basics.py': TEST,
			'pytest.ini': '[pytest]\npythonpath = .\n'
		},
		replace: [{ path: 'packaging/utils.py', from: 'r"(\\.0)+$"', to: 'r"(\\.00)+$"' }],
		installs: false
	},
	steps: [
		bash('ls . packaging tests && cat pytest.ini', 'utils.py'),
		bash('python3 -m pytest -q 2>&1 | tail -15', '5 passed'),
		bash('grep -n "strip" packaging/utils.py', 'strip_trailing_zero'),
		bash('sed -n 50,90p packaging/utils.py', 're.sub'),
		bash('python3 -c "from packaging.utils import canonicalize_version as c; print(c(\'1.0.0\'))"', '1.0.0'),
		write('tests/test_zeros.py', ZEROS),
		bash('python3 -m pytest -q tests/test_zeros.py 2>&1 | tail -20', '1 failed'),
		readWithStrings('packaging/utils.py', '78', '6'),
		read('packaging/utils.py', { offset: 78, limit: 6 }, 're.sub'),
		edit('packaging/utils.py', 'r"(\\.00)+$"', 'r"(\\.0)+$"'),
		bash(
			"cat > /tmp/versions.py <<'EOF'\nimport sys\nsys.path.insert(0, '/workspace')\nfrom packaging.utils import canonicalize_version\nfor v in ['1.0', '2.10.0', '3']:\n    print(canonicalize_version(v))\nEOF\npython3 /tmp/versions.py",
			'2.10'
		),
		bash('python3 /tmp/versions.py | tail -1', '3'),
		bash('pytest -q 2>&1 | tail -4', '6 passed'),
		bash('git status -s && git diff', 'test_zeros.py')
	],
	verdicts: [{ kind: 'tests', command: 'python3 -m pytest -q' }]
};
