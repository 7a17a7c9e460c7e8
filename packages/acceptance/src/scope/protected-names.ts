/** Why a name is protected: what reads it, and would act on it. */
export type ProtectedKind = 'ci' | 'hook' | 'git-config' | 'lockfile' | 'tool-config';

export interface ProtectedNames {
  readonly kind: ProtectedKind;
  readonly reason: string;
  /** Files and folders, at any depth; `*` and `{a,b}` as in patterns. */
  readonly names: readonly string[];
}

/** What is only written where a plan spells it out. The first row that has a name gives its kind. */
export const PROTECTED_NAMES: readonly ProtectedNames[] = [
  {
    kind: 'ci',
    reason: 'runs elsewhere, with the keys of the project, or says who has to agree',
    names: [
      ...['.github', '.gitlab', '.gitea', '.forgejo', '.circleci', '.buildkite', '.teamcity'],
      ...['.gitlab-ci.y*ml', '.travis.yml', '.cirrus.yml', '.drone.y*ml', '.appveyor.yml', '.ci'],
      ...['appveyor.yml', 'azure-pipelines*.y*ml', 'bitbucket-pipelines.y*ml', 'cloudbuild.y*ml'],
      ...['buildspec.y*ml', 'codefresh.y*ml', '.semaphore', '.woodpecker*', 'jenkinsfile*'],
      'codeowners',
    ],
  },
  {
    kind: 'hook',
    reason: 'runs on a person’s machine when they commit or push',
    names: [
      ...['.husky', '.githooks', '.git-hooks', 'lefthook*.y*ml', '.lefthook*', '.overcommit.yml'],
      ...['.pre-commit-config.y*ml', '.pre-commit-hooks.y*ml', '.lintstagedrc*'],
      'lint-staged.config.*',
    ],
  },
  {
    kind: 'git-config',
    // Not .gitignore: it runs nothing.
    reason: 'makes git run filters, fetch elsewhere, or store files in another form',
    names: ['.gitattributes', '.gitmodules', '.gitconfig', '.lfsconfig'],
  },
  {
    kind: 'lockfile',
    reason: 'says which foreign code is installed and run',
    names: [
      ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock*'],
      ...['deno.lock', 'cargo.lock', 'go.sum', 'go.work.sum', 'poetry.lock', 'uv.lock', 'pdm.lock'],
      ...['pixi.lock', 'pipfile.lock', 'composer.lock', 'gemfile.lock', 'gems.locked', 'mix.lock'],
      ...['flake.lock', 'pubspec.lock', 'podfile.lock', 'cartfile.resolved', 'package.resolved'],
      ...['packages.lock.json', '*gradle.lockfile', '.terraform.lock.hcl', 'module.bazel.lock'],
    ],
  },
  {
    kind: 'tool-config',
    reason: 'is loaded by agents, editors or build tools, which run what it says',
    names: [
      ...[
        '.mcp.json',
        '.claude',
        'claude.md',
        'claude.local.md',
        'agents.md',
        'agents.override.md',
      ],
      ...[
        'gemini.md',
        '.codex',
        '.gemini',
        '.cursor',
        '.cursorrules',
        '.windsurf',
        '.windsurfrules',
      ],
      ...['.clinerules', '.roo', '.continue', '.opencode', 'opencode.json*', '.aider*', '.kiro'],
      ...['.vscode', '.idea', '.devcontainer', '.devcontainer.json', '.envrc', '.tool-versions'],
      ...['.npmrc', '.yarnrc*', '.pnpmfile.*', '*.config.{js,cjs,mjs,ts,cts,mts}', '.eslintrc*'],
      ...['.prettierrc*', '.babelrc*', 'biome.json', 'biome.jsonc', 'tsconfig*.json', 'turbo.json'],
      ...['nx.json', 'pytest.ini', 'tox.ini', 'setup.cfg', 'ruff.toml', '.ruff.toml', '.flake8'],
      ...['mypy.ini', '.mypy.ini', 'conftest.py', '.cargo', '.mvn', '.yarn', 'pnpm-workspace.yaml'],
      'atelier.mode',
    ],
  },
];
