import { resolve } from 'node:path';
import type { ExitCode } from '../command.ts';
import type { Environment } from '../environment.ts';
import { openProject, type Project } from './project.ts';
import { stateHomeOf } from './state-home.ts';

/** What a command line says of where it is meant. */
interface Place {
  readonly repo: string | undefined;
  readonly stateDir: string | undefined;
}

/** Opens the project that a command line is about, and closes it again whatever comes of its use. */
export async function withProject(
  { repo, stateDir }: Place,
  environment: Environment,
  use: (project: Project) => Promise<ExitCode>,
): Promise<ExitCode> {
  const project = await openProject({
    configFile: environment.configFile,
    refThreshold: environment.refThreshold,
    dir: resolve(environment.cwd, repo ?? '.'),
    stateHome: stateHomeOf(stateDir, environment),
  });
  try {
    return await use(project);
  } finally {
    project.store.close();
  }
}
