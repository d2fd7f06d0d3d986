// Every command, one line each.
import { Command } from 'commander'
import { checkCommand } from './check.js'
import { checkpointCommand } from './checkpoint.js'
import { completionCommand } from './completion.js'
import { configCommand } from './config.js'
import { decideCommand } from './decide.js'
import { doctorCommand } from './doctor.js'
import { eraseCommand, purgeCommand } from './erase.js'
import { exportCommand } from './export.js'
import { hermesCommand } from './hermes.js'
import { initCommand } from './init.js'
import { jevCommand } from './jev.js'
import { keyCommand } from './key.js'
import { logCommand } from './log.js'
import { policyCommand } from './policy.js'
import { programVersion } from './program-version.js'
import { projectionsCommand } from './projections.js'
import { proveCommand } from './prove.js'
import { reanchorCommand } from './reanchor.js'
import { redactCommand } from './redact.js'
import { replayCommand } from './replay.js'
import { reportCommand } from './report.js'
import { reviewCommand } from './review.js'
import { searchCommand } from './search.js'
import { serveCommand } from './serve.js'
import { showCommand } from './show.js'
import { statusCommand } from './status.js'
import { stopCommand } from './stop.js'
import { verifyCommand } from './verify.js'
import { verifyProofCommand } from './verify-proof.js'

export function newProgram(): Command {
  const program = new Command('stele')
    .description('Proof of what an AI agent was told, claimed and was allowed to do.')
    .version(programVersion)
    .enablePositionalOptions()
    .addHelpText('after', '\nExamples:\n  $ stele init\n  $ stele verify\n  $ stele log --limit 20')
  program
    .addCommand(initCommand())
    .addCommand(serveCommand())
    .addCommand(stopCommand())
    .addCommand(statusCommand())
    .addCommand(doctorCommand())
    .addCommand(verifyCommand())
    .addCommand(checkpointCommand())
    .addCommand(proveCommand())
    .addCommand(verifyProofCommand())
    .addCommand(keyCommand())
    .addCommand(logCommand())
    .addCommand(showCommand())
    .addCommand(searchCommand())
    .addCommand(reportCommand())
    .addCommand(reviewCommand())
    .addCommand(replayCommand())
    .addCommand(checkCommand())
    .addCommand(decideCommand())
    .addCommand(policyCommand())
    .addCommand(exportCommand())
    .addCommand(eraseCommand())
    .addCommand(purgeCommand())
    .addCommand(redactCommand())
    .addCommand(reanchorCommand())
    .addCommand(projectionsCommand())
    .addCommand(configCommand())
    .addCommand(jevCommand())
    .addCommand(hermesCommand())
    // Dispatched before this program is built (main.ts); named here for the help.
    .addCommand(new Command('hook').description('record one Hermes payload from standard input and print the directive'))
    .addCommand(new Command('ledger').description('the ledger').addCommand(verifyCommand()))
  return program.addCommand(completionCommand(program))
}
