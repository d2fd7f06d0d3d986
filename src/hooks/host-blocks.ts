// What the Hermes host writes around, before and instead of a user's words: one record a block, with the
// place in the host that writes it. Kinds that are not here may still be captured as typed.

/** How the end of a block is found. Where it is not found, nothing that follows can be told from the block. */
export type BlockEnd =
  /** Behind the first of these: what stands before it is the host's own and cannot hold one. */
  | { readonly at: 'first'; readonly mark: string }
  /**
   * Behind the last of the first mark that is found: what stands before it was written by others and can hold anything. A message
   * that ends with the mark has no words.
   */
  | { readonly at: 'last'; readonly marks: readonly string[] }
  /** With its line, if that ends in a bracket; else behind its first bracket, or behind the last one before a blank line. */
  | { readonly at: 'line'; readonly otherwise: 'bracket' | 'blankLine' }
  /** The opening is all of it. */
  | { readonly at: 'itself' }
  /** Nothing tells where it ends. */
  | { readonly at: 'message' }
  /** The user's words stand inside it: behind one mark and before another. */
  | ({ readonly at: 'instruction' } & Instruction)
  /** The host wrote the whole message. */
  | { readonly at: 'turn' }

export interface Instruction {
  readonly behind: string
  readonly before: string
  /** With `before` missing there are no words; else they reach to the end of the message. */
  readonly closed: boolean
  /** Lines that the host writes before the words only: where one follows, the mark was quoted by what the host put in. */
  readonly neverAfter: readonly string[]
  /** Bracketed blocks of others' words: where one stands before the mark and a bracket ends the words, they may be its own. */
  readonly openBlocks: readonly string[]
}

export interface HostBlock {
  /** What it is called in `stripped`; for a turn, in `why`. */
  readonly name: string
  /** The file of the host that writes it, or what kind of adapter does. */
  readonly place: string
  readonly opens: readonly string[]
  /** What the opening's own line must hold besides. */
  readonly holds?: string
  /** Counts before anything else was taken away only. */
  readonly outermost?: true
  /** Counts only where a name may stand before a message, and only where its end is found. */
  readonly chats?: true
  readonly end: BlockEnd
}

const gateway = 'gateway/run_inbound.py'
const skills = 'agent/skill_commands.py'
const blankLine = ']\n\n'
const turn: BlockEnd = { at: 'turn' }
const note: BlockEnd = { at: 'line', otherwise: 'bracket' }

/** Openings at the start of what is left; the longest that fits counts. A bare transcript is speech and stays. */
export const hostBlocks: readonly HostBlock[] = [
  {
    name: 'reply_pointer',
    // Up to 0.21 the quoted text was cut to 500 characters; newer gateways and the desktop quote all of it.
    place: `${gateway}, desktop`,
    opens: ['[Replying to your previous message: "', '[Replying to: "'],
    end: { at: 'last', marks: ['"]\n\n'] },
  },
  {
    name: 'triggering_message',
    place: gateway,
    opens: ['[Triggering message id: `'],
    end: { at: 'first', mark: 'via the discord tools.]' },
  },
  {
    name: 'document',
    place: gateway,
    opens: ["[The user sent a text document: '", "[The user sent a document: '"],
    end: { at: 'line', otherwise: 'blankLine' },
  },
  {
    name: 'media_file',
    place: gateway,
    opens: ["[The user sent a video attachment: '", "[The user sent an audio file attachment: '"],
    end: { at: 'first', mark: 'genuinely unclear.]' },
  },
  {
    name: 'image_description',
    // A model describes what anybody may have drawn; then comes a line with the path, which ends so.
    place: gateway,
    opens: ["[The user sent an image~ Here's what I can see:"],
    end: { at: 'last', marks: [' ~]\n\n', blankLine, ']'] },
  },
  {
    name: 'image_description',
    place: gateway,
    opens: ['[The user sent an image but '],
    end: { at: 'line', otherwise: 'blankLine' },
  },
  {
    name: 'voice_message',
    place: gateway,
    opens: [
      '[The user sent a voice message: ',
      '[The user sent a voice message but ',
      '[voice message could not be transcribed',
      '[audio message could not be transcribed',
    ],
    end: note,
  },
  {
    name: 'sticker',
    place: 'gateway/sticker_cache.py',
    opens: ['[The user sent a sticker', '[The user sent an animated sticker'],
    end: { at: 'last', marks: [blankLine, ']'] },
  },
  {
    name: 'failed_download',
    place: 'plugins/platforms/telegram',
    opens: ['[The user attempted to send a '],
    end: note,
  },
  {
    name: 'location_pin',
    place: 'plugins/platforms/telegram',
    opens: ['[The user shared a location pin.]'],
    end: { at: 'first', mark: '\n\n' },
  },
  {
    name: 'channel_backfill',
    place: `${gateway}, plugins/platforms/discord, plugins/platforms/matrix`,
    opens: [
      '[Recent channel messages]',
      '[Context around the replied-to message]',
      '[Messages prefixed with [unverified] ',
      '[Earlier messages in this thread]',
    ],
    end: { at: 'last', marks: ['\n[New message]\n'] },
  },
  {
    name: 'new_message',
    place: gateway,
    opens: ['[New message]'],
    end: { at: 'itself' },
  },
  {
    name: 'thread_context',
    place: 'plugins/platforms/slack',
    opens: ['[Thread context — prior messages in this thread'],
    end: { at: 'last', marks: ['[End of thread context]\n\n'] },
  },
  {
    name: 'observed_chat',
    place: 'gateway/run.py',
    opens: ['[Observed Telegram group context'],
    end: {
      at: 'last',
      marks: ['[Current addressed message - answer only this unless it explicitly asks you to use the observed context]'],
    },
  },
  {
    name: 'observed_chat',
    place: 'gateway/run.py',
    opens: ['[Current addressed message - answer only this'],
    end: note,
  },
  {
    name: 'wechat_quote',
    place: 'plugins/platforms/weixin/adapter.py',
    opens: ['[引用: ', '[引用媒体'],
    end: { at: 'last', marks: [']\n'] },
  },
  {
    name: 'qq_quote',
    place: 'plugins/platforms/qqbot/adapter.py',
    opens: ['[Quoted message]:'],
    end: { at: 'last', marks: ['\n\n'] },
  },
  {
    name: 'skill',
    place: skills,
    opens: ['[IMPORTANT: The user has invoked the "'],
    holds: 'The full skill content is loaded below.]',
    end: {
      at: 'instruction',
      behind: '\nThe user has provided the following instruction alongside the skill invocation: ',
      before: '\n\n[Runtime note:',
      closed: false,
      neverAfter: [
        '\n[Skill directory: ',
        '\n[Skill config (from ',
        '\n[Skill setup note: ',
        '\n[This skill has supporting files (paths relative to the skill directory above):]',
      ],
      openBlocks: ['\n[Skill config (from ', '\n[Skill setup note: '],
    },
  },
  {
    name: 'skill_bundle',
    // The bundle's own instruction stands before the user's, all skills behind it.
    place: `agent/skill_bundles.py, ${skills}`,
    opens: ['[IMPORTANT: The user has invoked the "'],
    holds: ' skill bundle,',
    end: {
      at: 'instruction',
      behind: '\nUser instruction: ',
      before: '\n\n[Loaded as part of the ',
      closed: true,
      neverAfter: [],
      openBlocks: [],
    },
  },
  {
    name: 'auto_loaded_skill',
    place: 'gateway/run_turn.py',
    opens: ['[IMPORTANT: The "'],
    holds: ' skill is auto-loaded.',
    end: { at: 'message' },
  },
  {
    name: 'model_switch',
    place: 'gateway/slash_commands_model.py, CLI',
    opens: ['[Note: model was just switched from '],
    end: { at: 'first', mark: 'Adjust your self-identification accordingly.]' },
  },
  {
    name: 'skills_reload',
    // It lists names and descriptions that skills give themselves.
    place: 'gateway/run_turn.py, CLI',
    opens: ['[USER INITIATED SKILLS RELOAD:'],
    end: { at: 'last', marks: ['Use skills_list to see the updated catalog.]'] },
  },
  {
    name: 'voice_input',
    place: 'CLI',
    opens: ['[Voice input — respond concisely and conversationally, '],
    end: { at: 'first', mark: 'No code blocks or markdown.]' },
  },
  {
    name: 'attached_image',
    place: 'CLI, TUI, gateway/platforms/api_server.py',
    opens: ['[The user attached an image.', '[The user attached an image but ', '[The user attached an image:'],
    end: { at: 'last', marks: [blankLine, ']'] },
  },
  {
    name: 'attachment',
    place: 'TUI, desktop, gateway/run.py',
    opens: [
      '[User attached image: ',
      '[User attached file: ',
      '[User attached PDF: ',
      '[User sent an image: ',
      '[User sent audio: ',
      '[User sent an audio: ',
      '[User sent a video: ',
      '[User sent a file: ',
    ],
    end: note,
  },
  {
    name: 'voice_channel',
    place: 'gateway/run_agent_cache.py',
    opens: ['[Voice channel now: '],
    end: { at: 'line', otherwise: 'blankLine' },
  },
  {
    name: 'media_stand_in',
    place: 'plugins/platforms/feishu, line, yuanbao',
    opens: ['[Image]', '[image]', '[Shared chat]', '[file]', '[图片]', '[文件]', '[sticker]'],
    end: { at: 'itself' },
  },
  {
    name: 'media_stand_in',
    place: 'plugins/platforms/feishu, line, yuanbao',
    opens: ['[sticker: ', '[sticker:', '[sticker '],
    end: note,
  },

  // Turns of the host, among them nudges that begin like a note with words behind it and hold blank lines of their own.
  {
    name: 'loop_nudge',
    place: 'agent/conversation_loop.py, agent/verification_stop.py, agent/kanban_stop.py',
    opens: [
      '[System: Your previous response was truncated',
      '[System: The previous response was cut off',
      '[System: Your previous tool call',
      '[System: You edited code in this turn',
      '[System: You are a Hermes kanban worker.',
    ],
    end: turn,
  },
  {
    name: 'system_note',
    place: 'gateway/run.py, CLI, tui_gateway/server.py',
    opens: [
      '[System note: The previous turn was interrupted by ',
      '[System note: Your previous turn',
      '[System note: A new message has arrived.',
      "[System note: The user's previous session ",
      "[System note: The user's session was automatically reset ",
      '[System note: The previous gateway session could not be recovered ',
      "[System note: This is the user's very first message ever. ",
      '[System note: The user invoked /browser connect ',
      '[System note: The user has disconnected the browser tools ',
      '[System: The active model for this chat has changed to ',
    ],
    end: { at: 'first', mark: blankLine },
  },
  {
    name: 'system_note',
    place: 'anywhere in the host',
    opens: ['[System note:', '[System:'],
    end: { at: 'last', marks: [blankLine] },
  },
  {
    name: 'compaction',
    place: 'agent/context_compressor.py',
    opens: ['[CONTEXT', '[PRIOR CONTEXT'],
    end: turn,
  },
  {
    name: 'kept_plan',
    place: 'tools/todo_tool.py, agent/context_compressor.py',
    opens: ['[Your active task list', '[Planning state preserved'],
    end: turn,
  },
  {
    name: 'process_notice',
    place: 'tools/process_registry.py',
    opens: ['[IMPORTANT: Background', '[Background process '],
    end: turn,
  },
  { name: 'delegation_result', place: 'tools/delegate_tool.py', opens: ['[ASYNC DELEGATION'], end: turn },
  // Words of the user, steered into a turn; the host adds them to a tool's result and tells no hook of them.
  { name: 'out_of_band', place: 'agent/conversation_loop.py', opens: ['[OUT-OF-BAND'], end: turn },
  { name: 'cron_response', place: 'cron/scheduler.py', opens: ['Cronjob Response:'], end: turn },
  {
    name: 'cron_prompt',
    place: 'cron/scheduler.py',
    opens: ['[IMPORTANT: You are running as a scheduled cron job. '],
    end: turn,
  },
  {
    name: 'goal_continuation',
    place: 'hermes_cli/goals.py',
    opens: ['[Continuing toward your standing goal'],
    end: turn,
  },
  {
    name: 'goal_kick',
    place: 'hermes_cli/goals.py',
    opens: ['[Goal set] Continue with the goal you were just given'],
    end: turn,
  },
  {
    name: 'kanban_continuation',
    place: 'hermes_cli/goals.py',
    opens: ['[Continuing toward this kanban task'],
    end: turn,
  },
  {
    name: 'heartbeat',
    place: 'hermes_cli/goals.py',
    opens: ['[Heartbeat — recurring instruction, fires every '],
    end: turn,
  },
  { name: 'loop_wakeup', place: 'hermes_cli/loops.py', opens: ['[/loop wakeup #'], end: turn },
  {
    name: 'session_handoff',
    place: 'gateway/run_startup.py',
    opens: ['[Session was just handed off from CLI'],
    end: turn,
  },
  {
    name: 'self_review',
    place: 'agent/background_review.py',
    opens: ['Review the conversation above and '],
    outermost: true,
    end: turn,
  },
  { name: 'host_notice', place: 'anywhere in the host', opens: ['[IMPORTANT: '], end: turn },

  // Any adapter or plugin may fill in what was said before; all of them have the gateway's line before the words.
  {
    name: 'channel_backfill',
    place: gateway,
    opens: ['['],
    chats: true,
    end: { at: 'last', marks: ['\n\n[New message]\n'] },
  },
]

/** Lines after which nothing can be told to be the user's, wherever they begin. */
export interface HostTail {
  readonly name: string
  /** The file of the host that writes it, or what kind of adapter does. */
  readonly place: string
  readonly opens: string
  /** What the line ends with; undefined where the opening is all of it. */
  readonly closes?: string
}

export const hostTails: readonly HostTail[] = [
  {
    name: 'inlined_attachment',
    place: 'plugins/platforms: telegram, discord, slack, whatsapp, feishu',
    opens: '[Content of ',
    closes: ']:',
  },
  { name: 'attached_context', place: 'agent/context_references.py', opens: '--- Attached Context ---' },
  { name: 'context_warnings', place: 'agent/context_references.py', opens: '--- Context Warnings ---' },
]

/** In a multimodal list: a part that begins so holds a path. */
export const imageHint = '[Image attached at: '

/** Row 9.1: when the gateway is told to, it dates messages so. */
export const timestampPattern = /\[(?:[A-Z][a-z]{2} )?\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2})?[^\]\n]{0,32}\](?: |(?=\n|$))/y

/** Row 9.4: whoever speaks there is no user. */
export const platformsWithoutUsers: ReadonlySet<string> = new Set(['cron', 'subagent', 'curator', 'webhook', 'msgraph_webhook'])

/** Where words come from a keyboard and no gateway puts a name or a date before them. */
export const platformsWithoutLabels: ReadonlySet<string> = new Set(['cli', 'tui', 'desktop', 'acp', 'api_server', 'local'])
