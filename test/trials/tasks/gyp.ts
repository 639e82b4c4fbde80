import { bash, edit, read, type Task } from '../task.ts';

/** gyp-next (Python), as node-gyp publishes it: a regression that its unittest suite shows. */
export const gyp: Task = {
	name: 'gyp-next',
	request: 'GetFlavorByPlatform answers wrongly on NetBSD. Find the cause with the unit tests and fix it.',
	repository: {
		package: 'node-gyp',
		version: '11.2.0',
		below: 'gyp/pylib',
		without: ['gyp/generator', 'packaging'],
		files: { '.gitignore': '__pycache__\n' },
		replace: [
			{
				path: 'gyp/common.py',
				from: 'startswith("netbsd"):\n        return "netbsd"',
				to: 'startswith("netbsd"):\n        return "openbsd"'
			}
		],
		installs: false
	},
	steps: [
		bash('ls gyp && wc -l gyp/*.py | tail -1', 'common.py'),
		bash('grep -n "netbsd" -r . | head', 'gyp/common.py'),
		bash('python3 -m unittest gyp.common_test 2>&1 | tail -20', 'FAILED'),
		bash('sed -n 471,497p gyp/common.py', 'def GetFlavorByPlatform'),
		bash(
			"python3 - <<'EOF'\nfrom unittest.mock import patch\nimport gyp.common\nwith patch('sys.platform', 'netbsd9'):\n    print(gyp.common.GetFlavorByPlatform())\nEOF",
			'openbsd'
		),
		read('gyp/common.py', { offset: 484, limit: 6 }, 'netbsd'),
		edit(
			'gyp/common.py',
			'startswith("netbsd"):\n        return "openbsd"',
			'startswith("netbsd"):\n        return "netbsd"'
		),
		bash('python3 -m unittest gyp.common_test gyp.easy_xml_test gyp.input_test 2>&1 | tail -5', 'OK'),
		bash('python3 -m py_compile gyp/common.py && echo compiled', 'compiled'),
		bash('git status --short; git diff | head -20', '+        return "netbsd"'),
		bash('git commit -qam "Name NetBSD" && git log --oneline | head -2', 'Name NetBSD')
	],
	verdicts: [{ kind: 'tests', command: 'python3 -m unittest gyp.common_test gyp.easy_xml_test gyp.input_test' }]
};
