// Texts of Hermes' config.yaml as owners write them, each with the place where our lines belong, worked out by hand.

export interface HermesConfigCase {
  readonly name: string
  readonly before: string
  /** With stele in plugins.enabled. */
  readonly enabled: string
}

/** Between the marks stands what the install adds; without it the text is the owner's. */
function added(name: string, marked: string): HermesConfigCase {
  return { name, before: marked.replace(/«[^»]*»/g, ''), enabled: marked.replace(/[«»]/g, '') }
}

const section = 'plugins:\n  enabled:\n    - stele\n'

export const hermesConfigCases: readonly HermesConfigCase[] = [
  added('an empty file', `«${section}»`),
  added('nothing but a byte order mark', `\uFEFF«${section}»`),
  added('nothing but line breaks', `\n\n«${section}»`),
  added('nothing but comments', `# my agent\n\n# more to come\n«${section}»`),
  added('a comment without a line break at its end', '# my agent«\nplugins:\n  enabled:\n    - stele»'),
  added('a document mark and no document', `---\n«${section}»`),
  added('other settings', `model:\n  default: m # the big one\n\nmemory: { nudge_interval: 0 }\n«${section}»`),
  added('no line break at the end', 'model: m«\nplugins:\n  enabled:\n    - stele»'),
  added('blanks at the end', 'model: m\n   «\nplugins:\n  enabled:\n    - stele»'),
  added('line breaks of Windows', 'model: m\r\n# c\r\n«plugins:\r\n  enabled:\r\n    - stele\r\n»'),
  added(
    'a byte order mark, line breaks of Windows and no last one',
    '\uFEFFa: 1\r\nmodel: m«\r\nplugins:\r\n  enabled:\r\n    - stele»',
  ),
  added('a mark that ends the document', `--- # settings\nmodel: m\n«${section}»...\n# behind it\n`),
  added('a directive', `%YAML 1.1\n---\nmodel: m\n«${section}»`),
  added('a top level that is indented', '  model: m\n  toolsets: []\n«  plugins:\n    enabled:\n      - stele\n»'),
  added('a text block with blank lines at the end', `prompt: |+\n  Be brief.\n\n\n«${section}»`),
  added('a folded text over several lines', `prompt: Be\n  brief.\nquote: "and\n\n  kind"\n«${section}»`),
  added('a commented-out example at the end', `model: m\n\n# plugins:\n#   enabled: [example]\n«${section}»`),
  added('plugins without a value', 'plugins:\n«  enabled:\n    - stele\n»model: m\n'),
  added('plugins without a value and a line break', 'plugins:«\n  enabled:\n    - stele»'),
  added('plugins with nothing but comments', 'plugins: # none yet\n«  enabled:\n    - stele\n»  # enabled: []\nmodel: m\n'),
  added('plugins as an empty flow mapping', 'plugins: {«enabled: [stele]»} # none\n'),
  added('plugins without enabled', 'plugins:\n  disabled: []\n«  enabled:\n    - stele\n»  # the end of plugins\n\nmodel: m\n'),
  added(
    'plugins without enabled, behind a deep value',
    'plugins:\n  entries:\n    other:\n      settings:\n        note: |\n          two\n          lines\n«  enabled:\n    - stele\n»\n# model\nmodel: m\n',
  ),
  added('enabled without a value', 'plugins:\n    enabled:   # soon\n«      - stele\n»    # - example\n    disabled: []\n'),
  added('an empty flow list', 'plugins:\n  enabled: [«stele»]\n'),
  added('an empty flow list with blanks and a comment', 'plugins:\n  enabled: [«stele»  ] # none\n'),
  added('a flow list', "plugins: {disabled: [], enabled: [a, 'b'«, stele»]}\n"),
  added('a flow list with a comma at its end', 'plugins:\n  enabled: [a, b«, stele», ]\n'),
  added(
    'a flow list over several lines with comments',
    'plugins:\n  enabled: [\n    a, # the first\n    b«, stele» # the second\n  ]\nmodel: m\n',
  ),
  added('a block list', 'plugins:\n  enabled:\n    - a\n    - b # mine\n«    - stele\n»    # - c\n\nmodel: m\n'),
  added('a block list that is not indented', 'plugins:\n  enabled:\n  - a\n«  - stele\n»  disabled: []\n'),
  added('a block list that is indented oddly', 'plugins:\n     enabled:\n            - a\n«            - stele\n»\n\nmodel: m'),
  added('a block list at the end without a line break', 'plugins:\n  enabled:\n    - a«\n    - stele»'),
  added('a block list with an item over two lines', 'plugins:\n  enabled:\n    - "a\n      b"\n«    - stele\n»model: m\n'),
  added('a block list that ends in an empty item', 'plugins:\n  enabled:\n    - a\n    - # nothing\n«    - stele\n»'),
  added('quoted keys', '"plugins":\n  \'enabled\':\n    - "a"\n«    - stele\n»'),
  added('anchors and tags that nothing else uses', 'plugins: &p !!map\n  enabled: &e !!seq\n    - &a a\n«    - stele\n»x: *a\n'),
  added('an explicit key', '? plugins\n: enabled:\n    - a\n«    - stele\n»'),
  added('JSON', '{"model": "m", "plugins": {"enabled": ["a"«, "stele"»]}}\n'),
  added('JSON without plugins', '{\n  "model": "m"«, "plugins": {"enabled": ["stele"]}»\n}\n'),
  added('one flow mapping', '{model: m, plugins: {disabled: [b]«, enabled: [stele]»}}'),
]

/** Where an owner wrote that there is no value, these words have to go. */
export const replacedConfigCases: readonly HermesConfigCase[] = [
  { name: 'plugins: null', before: 'plugins: null # none\n', enabled: 'plugins: {enabled: [stele]} # none\n' },
  { name: 'enabled: ~', before: 'plugins:\n  enabled: ~\n', enabled: 'plugins:\n  enabled: [stele]\n' },
]
