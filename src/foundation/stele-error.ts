// The world's mistakes: one error class, and the table of its codes, which are the contract.
import { terminalLine } from './terminal-text.js'

export type ErrorKind = 'input' | 'refused' | 'busy' | 'damaged' | 'unavailable'

/** What a program exits with when an error of this kind ends it. */
export const exitCodes: Readonly<Record<ErrorKind, number>> = { input: 2, refused: 3, busy: 4, damaged: 5, unavailable: 6 }

interface ErrorCode {
  readonly kind: ErrorKind
  /** What happened, as a sentence without a full stop. */
  readonly means: string
  /** What the reader can do about it. */
  readonly todo: string
}

export const errorCodes = {
  CANONICAL_JSON_REFUSED: {
    kind: 'input',
    means: 'a value has no canonical JSON form',
    todo: 'send plain JSON values: no lone surrogates, no numbers beyond a double, no cycles',
  },
  JSON_UNREADABLE: {
    kind: 'input',
    means: 'the text is not JSON that can be read without loss',
    todo: 'send one JSON value as UTF-8, each member name once, numbers within a double',
  },
  CONFIG_INVALID: {
    kind: 'input',
    means: 'at the place named here, a setting is unknown or has a value that is not allowed',
    todo: 'mend it there; docs/settings.md has every key',
  },
  POLICY_UNKNOWN: {
    kind: 'input',
    means: 'the ledger knows no such policy, or its text is forgotten',
    todo: '`stele log --type policy.activated` names the digests of those that were in force',
  },
  POLICY_NOTHING_WAITS: {
    kind: 'input',
    means: 'no allowlist waits to be taken up',
    todo: 'edit the allowlist, or name a file: `stele policy use FILE`',
  },
  POLICY_INVALID: {
    kind: 'input',
    means: 'the allowlist cannot be used',
    todo: 'run `stele policy lint FILE`, which tells everything that is wrong with it',
  },
  REDACTION_PATTERN_INVALID: {
    kind: 'input',
    means: 'a pattern of yours for redaction cannot be used',
    todo: 'write a text of four characters or more in which `*` stands once at most, as in acme-*; docs/redaction.md has the rules',
  },
  CONFIG_ORIGIN_FIXED: {
    kind: 'refused',
    means: 'checkpoint.origin differs from the origin that this ledger was made with',
    todo: 'set it back; a change of origin needs a key rotation',
  },
  OPTION_INVALID: {
    kind: 'input',
    means: 'an option or argument of the command has a value that is not allowed',
    todo: 'see --help of the command',
  },
  FILE_UNREADABLE: { kind: 'input', means: 'a file that was named cannot be read', todo: 'check the path and its permissions' },
  FILE_UNWRITABLE: {
    kind: 'unavailable',
    means: 'a file cannot be written',
    todo: 'check the path, its permissions and the room on the disk',
  },
  VKEY_UNREADABLE: {
    kind: 'input',
    means: 'the text is not a verifier key',
    todo: 'give the line that `stele key show` prints: name+id+key',
  },
  CHECKPOINT_UNREADABLE: {
    kind: 'input',
    means: 'the text is not a signed checkpoint',
    todo: 'give a C2SP checkpoint, or lines of checkpoints.txt',
  },
  PROOF_UNREADABLE: {
    kind: 'input',
    means: 'the file is not a tlog-proof receipt',
    todo: 'give a file that `stele prove` wrote',
  },
  ENTRY_UNKNOWN: { kind: 'input', means: 'the ledger has no such entry', todo: 'see `stele log` for the entries there are' },
  ERASURE_EMPTY: {
    kind: 'input',
    means: 'there are no words to forget in what was named',
    todo: 'see `stele log` and `stele search`; what was forgotten before is gone',
  },
  ERASURE_TOO_WIDE: {
    kind: 'input',
    means: 'what was named lies in too many pieces for one erasure',
    todo: 'erase it in parts, or use --all',
  },
  ERASURE_NOTHING_WAITS: {
    kind: 'input',
    means: 'no erasure waits',
    todo: '`stele status` shows what waits; what is done cannot be called off',
  },
  SESSION_UNKNOWN: {
    kind: 'input',
    means: 'the ledger knows no such session, or its id is forgotten',
    todo: 'name it by its handle; `stele report sessions` shows the sessions there are',
  },
  REVIEW_ITEM_UNKNOWN: {
    kind: 'input',
    means: 'the review inbox has no such item: it was answered, forgotten, or never there',
    todo: '`stele review --list` shows the items there are',
  },
  REVIEW_NEEDS_TERMINAL: {
    kind: 'input',
    means: 'the review is gone through key by key at a terminal, and there is none here',
    todo: 'use `stele review --list`, `--json`, or `--answer LABEL --item ID`',
  },
  REVIEW_UNFIT: {
    kind: 'input',
    means: 'the answer does not fit the entries that it is about',
    todo: 'answer entries that were flagged for one cause; `stele review --list` shows them, and the answers that fit',
  },
  VIEW_UNKNOWN: {
    kind: 'input',
    means: 'there is no such view',
    todo: 'ask for one that `stele projections status` names; gate-context needs a session',
  },
  VIEWS_FAILED: {
    kind: 'unavailable',
    means: 'the thread that makes the views has ended',
    todo: 'ask again; if it goes on, run `stele projections rebuild` and look into service.log',
  },
  JUDGING_FAILED: {
    kind: 'unavailable',
    means: 'a long text could not be judged beside the service',
    todo: 'nothing; such a write is refused in block mode, and `service.log` says why',
  },
  HOME_MISSING: {
    kind: 'input',
    means: 'there is no Stele home in this folder',
    todo: 'run `stele init`, or name the home with --home',
  },
  HOME_NOT_PRIVATE: {
    kind: 'refused',
    means: 'others than its owner can reach into the home',
    todo: 'run `chmod 700` on the home and `chmod 600` on its keys',
  },
  OWNER_UNCONFIRMED: {
    kind: 'refused',
    means: 'the owner has not confirmed this',
    todo: 'run it at a terminal and answer yes, or add --yes',
  },
  REANCHOR_NOT_NEEDED: {
    kind: 'refused',
    means: 'nothing is missing, so there is nothing to start anew from',
    todo: 'run `stele verify` to see the state of the ledger',
  },
  STORE_LOCKED: {
    kind: 'busy',
    means: 'another process has the ledger open',
    todo: 'try again when it is done; verify, log and show work meanwhile',
  },
  LEDGER_QUEUE_FULL: {
    kind: 'busy',
    means: 'more entries wait to be written than the ledger takes',
    todo: 'try again in a moment',
  },
  SNAPSHOT_REMOVED: {
    kind: 'busy',
    means: 'words were forgotten meanwhile, and what was being read may hold them',
    todo: 'run it again',
  },
  SNAPSHOT_UNSETTLED: {
    kind: 'busy',
    means: 'the store changed each time while it was being copied',
    todo: 'try again when less is being written',
  },
  LEDGER_ROLLED_BACK: {
    kind: 'damaged',
    means: 'the ledger ends before the last entry that was acknowledged',
    todo: 'run `stele verify`, look into quarantine/, then `stele reanchor --reason TEXT`',
  },
  LEDGER_FORKED: {
    kind: 'damaged',
    means: 'the ledger holds another entry where one was acknowledged or signed',
    todo: 'run `stele verify`, look into quarantine/, then `stele reanchor --reason TEXT`',
  },
  LEDGER_TRUNCATED: {
    kind: 'damaged',
    means: 'the head or a checkpoint names more entries than there are',
    todo: 'run `stele verify`, look into quarantine/, then `stele reanchor --reason TEXT`',
  },
  LEDGER_ENTRY_MISSING: {
    kind: 'damaged',
    means: 'entries are missing in the middle of the ledger',
    todo: 'run `stele verify`, look into quarantine/, then `stele reanchor --reason TEXT`',
  },
  LEDGER_ENTRY_ALTERED: {
    kind: 'damaged',
    means: 'an entry near the end is not what was written',
    todo: 'run `stele verify`, look into quarantine/, then `stele reanchor --reason TEXT`',
  },
  LEDGER_HEAD_ALTERED: {
    kind: 'damaged',
    means: 'the head of the ledger does not fit its last entry',
    todo: 'run `stele verify`, look into quarantine/, then `stele reanchor --reason TEXT`',
  },
  LEDGER_MARK_UNREADABLE: {
    kind: 'damaged',
    means: 'the high-water mark has wrong check bytes',
    todo: 'run `stele verify`, then `stele reanchor --reason TEXT`',
  },
  LEDGER_CHECKPOINT_ALTERED: {
    kind: 'damaged',
    means: 'the newest checkpoint is not what was signed',
    todo: 'run `stele verify`, then `stele reanchor --reason TEXT`',
  },
  LEDGER_KEY_MISMATCH: {
    kind: 'damaged',
    means: 'the signing key in the home is not the one that this ledger is signed with',
    todo: 'put the key back that belongs to this ledger',
  },
  KEY_UNREADABLE: {
    kind: 'damaged',
    means: 'a key file of the home cannot be read',
    todo: 'put the key file back from a backup',
  },
  STORE_UNREADABLE: {
    kind: 'damaged',
    means: 'LevelDB cannot read the store',
    todo: 'run `stele verify`; restore the store from a backup',
  },
  STORE_GONE: {
    kind: 'damaged',
    means: 'the store that was acknowledged here is gone, or another one is in its place',
    todo: 'restore the home from a backup; until then nothing is acknowledged',
  },
  STORE_WRITE_FAILED: {
    kind: 'unavailable',
    means: 'the disk did not take an entry; whether it is stored is not known until the ledger is opened again',
    todo: 'make room or mend the disk, then start again',
  },
  DISK_FULL: {
    kind: 'busy',
    means: 'too little room is left on the disk of the home, so nothing is recorded',
    todo: 'make room; the service goes on by itself',
  },
  LEDGER_EMPTY: {
    kind: 'damaged',
    means: 'nothing of the ledger is left to start anew from',
    todo: 'restore the home from a backup, or move it away and run `stele init`',
  },
  ERASURE_UNFINISHED: {
    kind: 'busy',
    means: 'the words are forgotten, but files of the store still hold them',
    todo: 'it is tried again at the next start or in an hour; end a reading that is still open',
  },
  LEDGER_CLOSED: { kind: 'unavailable', means: 'the ledger is closed', todo: 'open it again' },
  HERMES_HOME_MISSING: {
    kind: 'input',
    means: 'there is no Hermes home in this folder',
    todo: 'name it with --hermes-home, or start Hermes once so that it makes one',
  },
  HERMES_CONFIG_UNREADABLE: {
    kind: 'input',
    means: 'config.yaml of Hermes cannot be read as one YAML mapping in UTF-8',
    todo: 'mend the line that is named; nothing was changed',
  },
  HERMES_CONFIG_UNFIT: {
    kind: 'refused',
    means: 'config.yaml of Hermes cannot be edited here without touching something else in it',
    todo: 'make it a plain list, or make the change by hand; nothing was changed',
  },
  HERMES_PLUGIN_DISABLED: {
    kind: 'refused',
    means: 'plugins.disabled in config.yaml of Hermes lists stele, and that list always wins',
    todo: 'take stele out of that list, or run `hermes plugins enable stele`, and install again',
  },
  HERMES_PLUGIN_FOREIGN: {
    kind: 'refused',
    means: 'something that is not the plugin of Stele lies where it belongs',
    todo: 'move it away and install again; nothing was changed',
  },
  ATTACH_UNKNOWN: {
    kind: 'refused',
    means: 'no host process has attached to this service under this name',
    todo: 'attach again with the same name and secret, then send the payload again',
  },
  ATTACH_REFUSED: {
    kind: 'refused',
    means: 'another secret was attached under this name before',
    todo: 'attach under a name of your own',
  },
  ATTACH_NUMBER_INVALID: {
    kind: 'input',
    means: 'the number of a payload is none',
    todo: 'count the payloads of an attach from 1 in whole numbers',
  },
  HOOKS_TOO_MANY: {
    kind: 'busy',
    means: 'more is being sent than is taken in a minute',
    todo: 'send less; what was turned away is counted, and limits.* in config.yaml sets the bounds',
  },
  SERVICE_RUNNING: {
    kind: 'refused',
    means: 'a service has this home already',
    todo: 'use it, or end it with `stele stop`',
  },
  SERVICE_BUSY: {
    kind: 'busy',
    means: 'more is on its way in than the service takes at once',
    todo: 'try again in a moment',
  },
  SERVICE_UNREACHABLE: {
    kind: 'unavailable',
    means: 'no service of this home answers',
    todo: 'start one with `stele serve --detach`; `stele doctor` tells what is wrong',
  },
  SOCKET_FOLDER_UNSAFE: {
    kind: 'refused',
    means: 'others can reach into the folder where the socket would lie',
    todo: 'remove that folder, or set XDG_RUNTIME_DIR to a folder of your own',
  },
  LISTEN_FAILED: {
    kind: 'unavailable',
    means: 'the loopback address cannot be listened on',
    todo: 'choose another port with --listen or service.listen, or switch it off',
  },
  ROUTE_UNKNOWN: { kind: 'input', means: 'there is no such route at this door', todo: 'see GET /v1/openapi.json' },
  REQUEST_INVALID: { kind: 'input', means: 'a part of the request is not as it should be', todo: 'see GET /v1/openapi.json' },
  TOKEN_REFUSED: {
    kind: 'refused',
    means: 'the request carries no token, or a wrong one',
    todo: 'send `Authorization: Bearer` with the token of service.json',
  },
  ORIGIN_REFUSED: {
    kind: 'refused',
    means: 'the request comes from another origin or under another name than the service’s own',
    todo: 'ask by the address that service.json names',
  },
  CONFIG_NOTHING_WAITS: {
    kind: 'refused',
    means: 'no setting waits for the owner',
    todo: 'see `stele status` and `stele config`',
  },
  PASSPHRASE_WRONG: {
    kind: 'refused',
    means: 'the passphrase is not that of this home',
    todo: 'give it at the terminal, or with --passphrase-file',
  },
  VERIFIER_DIED: {
    kind: 'unavailable',
    means: 'the verifying process could not be started or stopped by a signal from outside',
    todo: 'run `stele verify` again',
  },
} as const satisfies Readonly<Record<string, ErrorCode>>

export type SteleErrorCode = keyof typeof errorCodes

/** Numbers and names that help to find the place. Never words of a user, an agent or a file. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null>>

export class SteleError extends Error {
  override readonly name = 'SteleError'
  readonly code: SteleErrorCode
  readonly details: ErrorDetails

  constructor(code: SteleErrorCode, details: ErrorDetails = {}, options: { cause?: unknown } = {}) {
    super(errorCodes[code].means, options)
    this.code = code
    this.details = details
  }

  get kind(): ErrorKind {
    return errorCodes[this.code].kind
  }

  /** One line for a person: what, where, and what to do. */
  get line(): string {
    const where = Object.entries(this.details)
      .map(([name, value]) => `${name}: ${terminalLine(String(value))}`)
      .join(', ')
    return `${this.code}: ${this.message}${where === '' ? '' : ` (${where})`}; ${errorCodes[this.code].todo}`
  }
}

export function hasCode(error: unknown, code: SteleErrorCode): boolean {
  return error instanceof SteleError && error.code === code
}
