// The example that `stele init` puts beside the ledger: grants to copy and edit. It is never in force itself.

export const allowlistExample = `# What the agent may use. Everything that is not granted here is denied.
# Copy this file to allowlist.yaml, edit it, and look it through: stele policy lint allowlist.yaml
# docs/capability.md tells everything that can stand here.
version: 1

# Granted below, and still a person has to approve each call.
require_approval: [execute_code]

skills:
  # Calls that name no skill: all those of Hermes' own hook.
  "*":
    tools: [read_file, write_file, patch, search_files, web_search]
    paths:
      # Reading and writing, in the folder and everything beneath it.
      - ~/projects/**
      # Reading alone.
      - { path: ~/notes/**, access: read }
    # Commands, word by word. \`*\` is any one word, \`...\` any further words; {read} and {write} are paths that need a grant of their own.
    # Do not put the tool terminal under tools: that grants every command.
    commands:
      - git status
      - git log ...
      - git diff ...
      - ls {read}...
      - cat {read}...
    grants:
      # A scheduled job gets one thing of its own, until a day.
      - tools: [read_file]
        paths: [/srv/reports/**]
        when: { platform: cron, job: nightly }
        expires: 2099-01-01

  # A host that names skills gives each its own.
  note-taker:
    tools: [read_file, write_file]
    paths: [~/notes/**]

# Wins over every grant, for every skill.
deny:
  paths: [~/.ssh/**, ~/.aws/**, ~/.gnupg/**]
`
