import type { Strings } from '../en/index.ts';

/** Explanations of errors: a sentence and a next step. */
export const explained: Strings['explained'] = {
	invalid_url: ['这不是 Git 仓库的地址。', '请粘贴 https://github.com/owner/repository 这样的地址。'],
	not_found: ['这个地址没有仓库。', '请检查拼写，以及它是否为私有仓库。'],
	private: ['这个仓库是私有的，或需要登录。', '请自行克隆，然后用“打开文件夹”。'],
	too_large: ['这超出了标签页的容量。', '请选择需要的文件夹，或打开只含这部分的文件夹。'],
	no_network: ['无法连接服务器。', '请检查网络连接，然后重试。'],
	not_a_zip: ['这个文件不是 zip 压缩包。', '请选择以 .zip 结尾的文件，或拖入文件夹。'],
	damaged: ['收到的数据已损坏。', '请重试；如果仍然如此，就是来源本身坏了。'],
	empty: ['里面没有文件。', '请选择有文件的文件夹、zip 或分支。'],
	unsupported: ['不支持这种来源。', '请使用 https:// 地址、文件夹或 zip。'],
	cancelled: ['已取消。', '什么都没有保留。随时可以重新开始。'],
	import_cut_off: ['页面重新加载时，导入中断了。', '没有保留任何内容。请重新导入。'],
	message_too_long: ['一条消息放不下这么多文字。', '请把它放进项目的文件里（用“文件”或终端），再在消息中用 @ 提到它。'],
	page_part: ['页面的一部分无法加载。', '请检查连接，然后重新加载页面：你做过的都还在。站点可能有了新版本。'],
	machine_lost: [
		'那台机器已不在，会话改在这个标签页中继续。',
		'文件保持最后一次复制时的样子；在那边运行的程序已结束。需要时请再次移动会话。'
	],
	main_in_use: ['主会话在另一个标签页中打开着。', '请在那里关闭它，然后重试。'],
	server_error: ['服务器无法获取它。', '请稍等片刻再试。'],

	ENOSPC: ['标签页的磁盘已满。', '请删除不需要的内容，例如 node_modules。'],
	EFBIG: ['文件超出了标签页的容量。', '请只处理其中较小的一部分。'],
	ENOENT: ['那个文件已经不在了。', '请在文件树中看看它去了哪里。'],
	EACCES: ['那个路径在项目之外。', '请使用项目内的路径。'],
	EUNAVAILABLE: ['这个标签页里的计算机无法启动。', '请重新加载页面；使用当前版本的浏览器和它自带的服务器。'],
	ECLOSED: ['这个标签页里的计算机已关闭。', '请重新加载页面来恢复它。'],
	ENOTSUP: ['这在标签页里做不到。', '请换一种方式，或使用更大的机器或你自己的计算机。'],

	authentication: ['提供商不接受这个密钥。', '请在设置里或启动服务器的地方检查密钥，然后重新发送。'],
	access_denied: ['这个密钥不能使用该模型。', '请选择其他模型。'],
	quota: ['这个密钥在提供商处的额度已用完。', '请在那里充值，或选择其他模型。'],
	rate_limit: ['提供商要求暂停一下。', '请等一分钟，然后重新发送。'],
	context_length: [
		'对话超出了模型能读的长度。',
		'请压缩对话后重新发送消息，或选择能读更多内容的模型，或用同样的文件重新开始。'
	],
	content_filter: ['提供商的过滤器拦下了回答。', '请换一种说法描述任务。'],
	invalid_request: ['提供商没有理解这个请求。', '请选择其他模型，或从较早的一步派生。'],
	model_not_found: ['提供商没有这个模型。', '请选择其他模型。'],
	server: ['提供商自身出了问题。', '请稍等片刻，然后重新发送。'],
	timeout: ['没有及时收到回答。', '请重新发送；没有丢失任何内容。'],
	network: ['连接断开了。', '请检查网络，然后重新发送；没有丢失任何内容。'],
	stream: ['回答中断或混乱了。', '请重新发送；没有丢失任何内容。'],
	configuration: ['没有设置任何模型。', '请在设置里填写密钥，在启动服务器的地方设置密钥，或者观看演示。'],

	SessionNotFound: ['这个浏览器里没有这个会话。', '它可能在另一个浏览器里，或已被删除。请开始新的会话。'],
	ContentLost: [
		'这个检查点中某个文件的内容在浏览器里已损坏或丢失。',
		'其他文件和检查点不受影响。会话列表里的“下载原始文件”可以保存剩下的内容。'
	],
	SessionGone: [
		'这个会话在浏览器里已经什么都不剩。',
		'浏览器为其他站点腾出了空间，或导入没有完成。请从列表中删除它；分享过的会话可以用分享链接找回。'
	],
	LockedError: ['这个会话已在另一个标签页中打开。', '请在那里关闭它，或从这里接管。'],
	SessionBusyError: ['智能体还在工作。', '请等待、引导它，或按“停止”。'],
	SessionClosedError: ['这个会话已关闭。', '请重新加载页面来再次打开它。'],
	QuotaExceededError: ['浏览器给这个站点的存储空间已满。', '请删除不再需要的会话；这期间所做的事随后也会保存下来。'],

	publish_no_remote: ['这个项目没有可推送的 Git 主机。', '请改为保存补丁或 zip。'],
	publish_nothing: ['没有可推送的内容。', '请先做些更改，或看看是否已经推送过。'],
	publish_no_branch: ['主机上没有这个起始分支。', '把“合并到”留空以使用默认分支，或检查名称。'],
	publish_branch_exists: ['主机上已有同名的分支。', '请给分支换一个名称。'],
	publish_moved: ['导入之后，主机的分支也改了同样的文件。', '请重新导入，或保存补丁自行合并。文件列在下面。'],
	publish_no_access: [
		'主机不允许你推送到这个仓库。',
		'请给一个有写权限的令牌。如果仓库不是你的，请在主机上派生它，再导入你的派生仓库。'
	],
	publish_protected: ['主机保护了这个分支。', '请给分支换一个名称。'],
	publish_unreachable: ['无法连接 Git 主机。', '请检查网络后重试；什么都没有推送。'],
	publish_rejected: ['主机没有接受这个分支。', '它的说明在下面。项目没有任何改动。'],
	publish_name: ['Git 不接受这样的分支名。', '请用字母、数字、短横线和单个斜杠。'],
	request_no_access: ['分支已推送，但这个令牌不能发起合并请求。', '请给一个有此权限的令牌，或在主机的页面上发起。'],
	request_not_found: ['主机上没有这个仓库，或对这个令牌隐藏。', '请检查主机类型，以及令牌能否看到该仓库。'],
	request_no_difference: ['这个分支没有任何新的内容。', '请看看它是否已经合并。'],
	request_refused: ['分支已推送，但主机没有发起合并请求。', '它的说明在下面；请重试，或在主机上发起。'],

	share_wrong_key: ['这个链接里的密钥与分享不符。', '请从来源处重新复制完整的链接。'],
	share_damaged: ['这个分享链接已损坏或不完整。', '请重新索取完整的链接。'],
	share_not_found: ['这个分享已到期或被删除。', '请索取新的链接。'],
	share_too_large: ['这个会话太大，无法分享。', '请移除大文件，然后重试。'],
	share_version: ['这个分享是用更新的版本制作的。', '请重新加载页面以更新，然后再次打开。'],
	share_no_server: ['这个站点没有服务器，而会话太大，放不进链接。', '请保存 zip 或补丁，再把它传给别人。'],
	share_server_error: ['服务器刚才无法完成。', '请一分钟后重试。'],
	share_offline: ['无法连接服务器。', '请检查连接，然后重试。'],
	share_not_a_session: ['这个文件不是 Sandglass 的会话。', '请选择以 .sandglass 结尾的文件。'],
	share_passphrase: ['这个会话已加密。', '请再次打开并输入它的口令。'],
	share_wrong_passphrase: ['口令不对，或者文件已损坏。', '请检查后重试。'],
	share_damaged_file: ['这个会话文件已损坏：缺少一部分或被改动过。', '请从来源处重新复制。'],
	share_malformed_tree: [
		'这个分享中的对话前后不连贯，Sandglass 的会话不会这样写。',
		'没有打开它。请询问发送者它是怎样制作的。'
	],
	share_instructions: [
		'这个分享带有给模型的指令，而回放不会显示它们。',
		'没有打开它：Sandglass 的会话不会这样做。请不要信任发送者。'
	],
	share_too_complex: ['这个分享的条目超过了 Sandglass 会话可能有的数量。', '没有打开它。请索取一个更小的分享。'],
	share_file_too_large: ['这个文件太大，不可能是会话。', '请选择另一个。'],
	share_unavailable: ['服务器无法保存这个分享。', '请重试；小的会话不需要服务器。']
};

/** Sentences used in place of {@link explained} if the error names its provider. */
export const providerErrors: Strings['providerErrors'] = {
	authentication: (provider) => `${provider} 拒绝了你的密钥。`,
	access_denied: (provider) => `${provider} 不允许你的密钥使用这个模型。`,
	quota: (provider) => `你在 ${provider} 的额度已用完。`,
	rate_limit: (provider) => `${provider} 正在限制请求。`,
	content_filter: (provider) => `${provider} 的过滤器拦下了这个回答。`,
	invalid_request: (provider) => `${provider} 没有接受这个请求。`,
	model_not_found: (provider) => `${provider} 没有这个模型。`,
	server: (provider) => `${provider} 过载或出了问题。`,
	timeout: (provider) => `${provider} 没有及时回答。`,
	network: (provider) => `与 ${provider} 的连接断开了。`
};
