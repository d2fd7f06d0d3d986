// What the host's own tools take that is a path, by tool and argument. Names are those of the host, of old and new versions.
// A tool that is not here is judged by what its arguments are called.

export interface HostTool {
  readonly paths: readonly PathArgument[]
  /** Its text can name files in a way of its own: the body of a patch; files to send within a message. */
  readonly within?: 'patch' | 'message'
}

export interface PathArgument {
  readonly name: string
  readonly access: 'read' | 'write'
  /** If it is a folder, everything in it too. */
  readonly tree?: true
  /** A URL may stand here too; one of the web is no path. `only`: a text that is no address is no path either. */
  readonly address?: 'also' | 'only'
  /** A call without it is not read. */
  readonly isNeeded?: true
  /** What it is when it is not given. */
  readonly otherwise?: string
  /** Several of them, as a list or as its JSON text. */
  readonly isList?: true
  /** A name alone is one of the host's own folder. */
  readonly isHostsOwnIfBare?: true
}

const media = (name: string): PathArgument => ({ name, access: 'read', address: 'also' })

const tools: ReadonlyMap<string, HostTool> = new Map<string, HostTool>([
  ['read_file', { paths: [{ name: 'path', access: 'read', isNeeded: true }] }],
  ['write_file', { paths: [{ name: 'path', access: 'write', isNeeded: true }] }],
  ['patch', { paths: [{ name: 'path', access: 'write', isNeeded: true }], within: 'patch' }],
  ['search_files', { paths: [{ name: 'path', access: 'read', tree: true, otherwise: '.' }] }],
  ['terminal', { paths: [{ name: 'workdir', access: 'read' }] }],
  ['vision_analyze', { paths: [{ ...media('image_url'), isNeeded: true }] }],
  ['video_analyze', { paths: [{ ...media('video_url'), isNeeded: true }] }],
  ['image_generate', { paths: [media('image_url'), { ...media('reference_image_urls'), isList: true }] }],
  ['video_generate', { paths: [media('image_url'), { ...media('reference_image_urls'), isList: true }] }],
  ['xai_video_edit', { paths: [media('video_url')] }],
  ['xai_video_extend', { paths: [media('video_url')] }],
  ['text_to_speech', { paths: [{ name: 'output_path', access: 'write' }] }],
  ['browser_navigate', { paths: [{ name: 'url', access: 'read', address: 'only', isNeeded: true }] }],
  ['desktop_preview', { paths: [{ name: 'url', access: 'read', address: 'only' }] }],
  ['web_extract', { paths: [{ name: 'urls', access: 'read', address: 'only', isList: true }] }],
  ['cronjob', { paths: cronPaths() }],
  ['cronjob_manage', { paths: cronPaths() }],
  ['kanban_create', { paths: [{ name: 'workspace_path', access: 'read' }] }],
  ['kanban_complete', { paths: [{ name: 'artifacts', access: 'read', isList: true }] }],
  ['send_message', { paths: [], within: 'message' }],
])

function cronPaths(): readonly PathArgument[] {
  return [
    { name: 'workdir', access: 'read' },
    { name: 'script', access: 'read', isHostsOwnIfBare: true },
  ]
}

/** Tools of the host that take no path: a grant of paths alone can never reach them. What they keep on disk is the host's own. */
export const pathlessTools: ReadonlySet<string> = new Set([
  ...['browser_back', 'browser_cdp', 'browser_click', 'browser_console', 'browser_dialog', 'browser_exec', 'browser_get_images'],
  ...['browser_press', 'browser_scroll', 'browser_snapshot', 'browser_type', 'browser_vision', 'browser_close'],
  ...['clarify', 'computer_use', 'delegate_task', 'discord', 'discord_admin', 'execute_code', 'memory', 'mixture_of_agents'],
  ...['feishu_doc_read', 'feishu_drive_add_comment', 'feishu_drive_list_comment_replies', 'feishu_drive_list_comments'],
  ...['feishu_drive_reply_comment', 'ha_call_service', 'ha_get_state', 'ha_list_entities', 'ha_list_services'],
  ...[
    'kanban_attach',
    'kanban_attach_url',
    'kanban_attachments',
    'kanban_block',
    'kanban_comment',
    'kanban_heartbeat',
    'kanban_link',
  ],
  ...['kanban_list', 'kanban_request_changes', 'kanban_request_review', 'kanban_show', 'kanban_unblock'],
  ...['process', 'process_manage', 'session_search', 'skill_manage', 'skill_view', 'skills_list', 'todo', 'todo_list'],
  ...[
    'spotify_albums',
    'spotify_devices',
    'spotify_library',
    'spotify_playback',
    'spotify_playlists',
    'spotify_queue',
    'spotify_search',
  ],
  ...['annotate_preview', 'close_terminal', 'drive_preview', 'focus_pane', 'gui_tour', 'react_to_message', 'read_terminal'],
  ...[
    'read_window_below',
    'show_tip',
    'web_search',
    'x_search',
    'yb_query_group_info',
    'yb_query_group_members',
    'yb_search_sticker',
  ],
  ...['yb_send_dm', 'yb_send_sticker'],
])

/** They run what is in no path and no command line that anybody could read. */
export const opaqueTools: ReadonlySet<string> = new Set([
  'browser_cdp',
  'browser_console',
  'browser_exec',
  'computer_use',
  'execute_code',
])

/** They run command lines; the last ones are what older hosts and other agents call theirs. */
export const commandTools: ReadonlySet<string> = new Set(['terminal', 'execute_command', 'bash', 'shell'])

/** What an owner can mean by a name in an allowlist, beside the tools of servers and plugins. */
export const knownTools: ReadonlySet<string> = new Set([...tools.keys(), ...pathlessTools, ...commandTools])

/** Undefined for a tool that is none of the host's. */
export function hostTools(name: string): HostTool | undefined {
  return tools.get(name) ?? (pathlessTools.has(name) ? { paths: [] } : undefined)
}
