import type { Strings } from '../en/index.ts';

export const code: Strings['code'] = {
	quickOpen: {
		button: '转到文件',
		title: '转到文件',
		placeholder: '文件名，或输入 > 查找操作',
		files: '文件',
		recent: '最近打开',
		actions: '操作',
		none: '没有匹配项',
		loading: '正在列出文件…',
		changed: '已修改',
		hintOpen: '打开',
		hintActions: '操作',
		results: (count) => `${count} 个匹配项`
	},
	find: {
		title: '在文件中查找',
		close: '关闭文件查找',
		pattern: '查找内容',
		replacement: '替换为',
		replacePlaceholder: '替换为',
		matchCase: '区分大小写',
		wholeWord: '全字匹配',
		regex: '正则表达式',
		include: '包含的文件',
		includePlaceholder: '包含的文件，例如 src/**/*.ts',
		searching: '正在搜索…',
		results: (lines, files) => `${files} 个文件中有 ${lines} 个结果`,
		limit: (lines) => `仅显示前 ${lines} 个结果。请输入更长的内容以查看其余结果。`,
		none: '没有结果',
		list: '结果',
		replaceAll: '全部替换',
		replaced: (places, files) => `已在 ${files} 个文件中替换 ${places} 处`,
		skipped: (paths) => `以下文件已变化或尚未保存，未替换：${paths}`,
		askAgent: '让智能体全部修改',
		toAgent: (pattern, places) => `请修改所有包含 \`${pattern}\` 的位置：\n${places}\n`
	},
	definition: {
		outside: '它定义在项目之外。',
		none: '没有找到定义'
	},
	format: {
		button: '格式化',
		same: '格式已经正确'
	},
	problems: {
		title: '问题',
		close: '关闭问题列表',
		show: (errors, warnings) => `问题：${errors} 个错误，${warnings} 个警告`,
		counts: (errors, warnings) => `${errors} 个错误，${warnings} 个警告`,
		checking: (files) => `正在检查 ${files} 个文件…`,
		none: '没有问题',
		error: '错误',
		warning: '警告',
		ask: '让智能体修复',
		toAgent: (list) => `请修复这些问题：\n${list}\n`
	},
	rename: {
		title: (name) => `重命名 ${name}`,
		to: '新名称',
		button: '重命名',
		nothing: '无法重命名此处。',
		inPackage: '该名称属于已安装的软件包，无法在此重命名。',
		unsaved: (name) => `请先保存 ${name}。`,
		changed: '文件在此期间已变化。请重试。',
		done: (places, files) => `已重命名 ${files} 个文件中的 ${places} 处`
	},
	breadcrumbs: '打开文件的路径',
	menu: {
		project: '项目',
		more: '更多项目操作',
		ask: '询问此项',
		changes: '查看更改',
		newFile: '新建文件…',
		newFolder: '新建文件夹…',
		upload: '上传文件…',
		rename: '重命名…',
		duplicate: '创建副本',
		copyPath: '复制路径',
		copied: '路径已复制',
		download: '下载',
		delete: '删除',
		name: '名称',
		badName: '名称不能包含“..”或空的部分。',
		exists: (path) => `${path} 已存在。`,
		renameTitle: (path) => `重命名 ${path}`,
		newFileTitle: '新建文件',
		newFolderTitle: '新建文件夹',
		deleteTitle: (path) => `删除 ${path}？`,
		deleteFile: '这会从项目中删除该文件。',
		deleteFolder: '这会从项目中删除该文件夹及其全部内容。'
	},
	views: {
		show: { markdown: '渲染', svg: '图像', table: '表格', notebook: '笔记本' },
		rendered: (path) => `${path}（渲染视图）`,
		cut: (rows) => `仅显示前 ${rows} 行。`,
		output: '单元格输出',
		notReadable: '此文件不是笔记本。请查看其源代码。',
		pdf: {
			pages: '页面',
			page: (number, pages) => `第 ${number} 页，共 ${pages} 页`,
			previous: '上一页',
			next: '下一页',
			width: '适合宽度',
			problems: {
				locked: '这个 PDF 有密码保护。请在你的电脑上解锁，再添加副本。',
				slow: '绘制这一页用时过长。可在终端用 pdftotext 读取文字。',
				noProgram: '这台机器无法显示 PDF。请在那里安装 poppler-utils，或在标签页中打开文件。',
				damaged: '文件已损坏，或不是 PDF。'
			}
		}
	}
};
