import type { Strings } from '../en/index.ts';

/** Strings of the dialog that pushes a branch. */
export const publish: Strings['publish'] = {
	title: '推送分支并发起合并请求',
	button: '推送……',
	noRemote: '这个项目不是从 Git 地址导入的，没有可推送的地方。请改为保存补丁或 zip。',
	intro: (path, host) => `导入以来的所有更改将作为一个提交，推送到 ${host} 上 ${path} 的单独分支。你的文件保持原样。`,
	branch: '分支',
	target: '合并到',
	targetDefault: '默认分支',
	subject: '标题',
	description: '描述',
	draft: '草拟标题和描述',
	name: '作者',
	email: '作者的电子邮件',
	kind: '主机类型',
	kinds: { github: 'GitHub', gitlab: 'GitLab', gitea: 'Gitea 或 Forgejo', none: '其他：只推送分支' },
	token: '如果主机要验证身份，会向你要一个令牌。它只留在这个页面的内存里，只发给该主机，绝不进入沙箱。',
	start: '推送并发起',
	push: '推送分支',
	steps: {
		fetching: '正在获取起始分支……',
		committing: '正在提交……',
		pushing: '正在推送……',
		opening: '正在发起合并请求……'
	},
	pushed: (branch) => `分支 ${branch} 已推送。`,
	opened: '合并请求已发起：',
	existed: '合并请求早已发起，现在已有新的提交：',
	checkpoint: (branch) => `已推送到 ${branch}`
};
