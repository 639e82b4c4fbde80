import type { Strings } from '../en/index.ts';

/** Strings of the front page, the import, and the questions before either continues. */
export const front: Pick<
	Strings,
	| 'lead'
	| 'front'
	| 'folders'
	| 'templates'
	| 'importing'
	| 'token'
	| 'gitToken'
	| 'gitHub'
	| 'egress'
	| 'crashed'
	| 'noProject'
> = {
	lead: '它就在页面里运行 Shell、Node、Python 和 git。看清每一步，回到任意一步，换一种方式再试，并把整个会话分享成一个链接。',
	crashed: (reason) => `这个标签页里的计算机停止了（${reason}）。下一条命令时它会重新启动，文件保持原样。`,
	noProject: '没有打开的项目。请先导入仓库。',
	front: {
		about: '关于 Sandglass',
		links: { how: '工作原理', docs: '文档', github: 'GitHub', source: '源代码' },
		claim: '以这个标签页为计算机的编程智能体',
		task: '你想构建或修复什么？',
		start: '开始',
		localModel: '或使用这台计算机上的模型',
		runsWith: (model) => `使用 ${model}`,
		folder: '文件夹',
		zip: 'Zip 文件',
		fromTemplate: '模板',
		orTry: '或者试试这些',
		demoAbout: '无需密钥',
		examples: {
			site: { task: '给这个网站加上深色主题', about: '静态网站' },
			tool: { task: '让这个工具也能统计行数和字符数', about: '命令行工具' }
		},
		hero: {
			task: '德语测试失败了。找出原因并修复。',
			answer: '已修复。德语表现在排在拉丁语表之前，ü 又会变成 ue。',
			note: '演示的回放',
			start: '任务',
			moments: '回放的时刻',
			about: '演示的回放。拖动时间线可以去到任意一步。',
			open: '打开这个会话'
		},
		gitUrl: 'Git 地址',
		gitUrlPlaceholder: 'github.com/owner/repo',
		import: '导入',
		openFolder: '打开文件夹',
		uploadZip: '上传 zip',
		sessionFile: '打开会话文件',
		demo: '观看演示',
		template: '从模板开始',
		dropHere: '把文件夹、zip 或会话文件拖到这里即可打开',
		demoNote: '无需账号，无需安装。演示中模型的话是脚本；文件、修改和测试都是真的。',
		facts: [
			['一整台计算机', 'Shell、Node、Python、npm、git 和预览都在页面里。代码留在这个标签页中。'],
			['每一步都能撤销', '拖回任意一刻，文件、终端和对话都会跟随。'],
			['可以回放的链接', '加密的链接，任何人都能播放、验证并继续。'],
			['开源', 'MIT 许可。可以自己部署，也可以把智能体当作库使用。']
		],
		recent: '最近的会话',
		noRecent: '你打开的会话保存在这个浏览器里，并列在这里。',
		loadingRecent: '正在查找以前的会话……',
		remove: '删除',
		removeTitle: (title) => `删除“${title}”？`,
		removeQuestion: '它的文件和对话会从这个浏览器中移除。此操作无法撤销。',
		removeShares: (count) => `它的 ${count} 个分享链接之后仍可在“你创建的分享”中删除。`,
		rename: '重命名',
		name: '会话的名称',
		save: '保存',
		keep: '保留',
		changed: (count) => `更改了 ${count} 个文件`
	},
	folders: {
		title: '整体太大',
		why: (most) => `标签页一次最多容纳 ${most}。请选择需要的文件夹；通往它们的路径上的文件也会一起导入。`,
		list: '文件夹',
		files: (_count, shown) => `${shown} 个文件`,
		chosen: (size) => `已选 ${size}`,
		import: (count) => (count === 0 ? '导入' : `导入 ${count} 个文件夹`),
		cancel: '取消'
	},
	templates: {
		title: '从模板开始',
		intro: '先有几个文件，其余由你和智能体决定。',
		empty: ['空项目', '只有一份自述文件。'],
		vanilla: ['原生 TypeScript', '一个页面和两个模块，边改边构建。'],
		react: ['React 应用', '一个带状态的组件。'],
		svelte: ['Svelte 应用', '一个使用 runes 的组件。'],
		vue: ['Vue 应用', '一个单文件组件。'],
		hono: ['Node 接口', 'Hono，两个路由和一个测试。'],
		python: ['Python 包', '一个模块和它的单元测试。'],
		cli: ['命令行工具', '带参数和测试的 Node 程序。'],
		site: ['静态网站', '两个页面和一个样式表。'],
		node: ['Node 和 TypeScript', '一个模块，和一个用 npm test 运行的测试。'],
		page: ['网页', '一个可预览的 HTML 文档，没有构建步骤。']
	},
	importing: {
		title: (name) => `正在导入 ${name}`,
		connecting: '正在连接',
		downloading: '正在下载',
		unpacking: '正在解压',
		baseline: '正在记录原有内容',
		done: '完成',
		cancel: '取消',
		received: (size) => `已接收 ${size}`,
		files: (count) => `${count} 个文件`,
		seconds: (seconds) => `${seconds} 秒`,
		starting: '正在启动这个标签页里的计算机……',
		reopening: '正在恢复会话……'
	},
	token: {
		title: '这台服务器要求输入令牌',
		why: '运营者设置了令牌，以免别人使用它的密钥。令牌保存在脚本读不到的 Cookie 里。',
		label: '令牌',
		refused: '令牌不对。请检查后重试。',
		open: '打开',
		without: '不用令牌继续'
	},
	gitToken: {
		title: (repository) => `${repository} 要求输入令牌`,
		use: {
			read: 'git 想读取这个仓库。',
			push: 'git 想推送到这个仓库。发送之前会先向你显示推送的内容。',
			request: '打开拉取请求需要它。'
		},
		why: '页面只为这个仓库发送它，并随项目一起忘掉。标签页里的计算机看不到它。那里的 git 可以用它读取；每次推送都会先问你。',
		user: '用户名（如果服务器需要）',
		label: '令牌或密码',
		refused: '服务器没有接受。请检查后重试。',
		accept: '使用令牌',
		without: '不用令牌继续'
	},
	gitHub: {
		title: '用 GitHub 登录',
		signIn: '用 GitHub 登录',
		why: 'GitHub 会询问你允许这个服务器的应用做什么。令牌会回到这个标签页，服务器不会保存它。',
		enter: '在 GitHub 输入这个代码：',
		code: '代码',
		open: '打开 GitHub',
		waiting: '正在等待 GitHub……',
		or: '或者使用你自己的令牌，它可以只限于这个仓库。',
		failures: {
			expired: '代码已过期。请重新登录以获取新的代码。',
			denied: '你没有在 GitHub 上允许。',
			failed: '无法连接 GitHub，或请求被拒绝。请重试，或使用令牌。'
		}
	},
	egress: {
		title: '网络',
		question: (tool, host) => `让 ${tool} 访问 ${host} 吗？`,
		why: '还没有任何内容离开这个标签页。',
		deny: '拒绝',
		push: {
			question: (repository) => `git 想推送到 ${repository}。`,
			size: (size) => `将发送 ${size}。`,
			created: (ref, after) => `${ref}：新建，位于 ${after}`,
			deleted: (ref, before) => `${ref}：删除，原为 ${before}`,
			moved: (ref, before, after) => `${ref}: ${before} → ${after}`,
			more: (count) => `以及另外 ${count} 个`,
			why: '如果你为这个仓库提供了令牌，会用它发送。',
			once: '推送这些',
			deny: '不推送'
		},
		pushToken: {
			question: (repository) => `git 想用你的令牌准备向 ${repository} 推送。`,
			why: '你是为读取提供它的。这一步只列出分支；发送之前会先向你显示推送的内容。',
			deny: '拒绝'
		}
	}
};
