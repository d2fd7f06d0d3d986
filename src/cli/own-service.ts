// For a command that only a service can do: the one that runs, else one in this process, for as long as the command takes.
import { isServing } from '../service/ask-service.js'
import type { Home } from '../service/open-home.js'
import { programName, programVersion } from './program-version.js'

/** Throws what starting a service throws. */
export async function withOwnService<Result>({ files }: Home, task: () => Promise<Result>): Promise<Result> {
  if (await isServing(files.home)) return task()
  // Loaded here alone: the web server is half of what there is to load.
  const { startService } = await import('../service/start-service.js')
  const service = await startService({
    home: files.home,
    environment: process.env,
    program: programName,
    version: programVersion,
    command: [process.execPath, process.argv[1] ?? ''],
    listen: 'off',
    leavesWhenIdle: false,
  })
  try {
    return await task()
  } finally {
    await service.stop()
  }
}
