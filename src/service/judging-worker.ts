// The thread beside the service in which long texts are judged: one job after the other, nothing kept from one to the next. It opens no file;
// whoever started it ends it.
import { parentPort, workerData } from 'node:worker_threads'
import { answerJob, type JudgingJob } from './judging-jobs.js'

export interface JudgingWorkerData {
  readonly steleJudging: true
}

if (parentPort !== null && (workerData as Partial<JudgingWorkerData> | null)?.steleJudging === true) {
  const port = parentPort
  port.on('message', (job: JudgingJob) => port.postMessage(answerJob(job)))
}
