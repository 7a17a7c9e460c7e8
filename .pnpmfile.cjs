// better-sqlite3 is compiled by node-gyp, which would fetch Node's headers from the internet.
// A Node installation usually carries them; point node-gyp there when it does.
const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');

const prefix = dirname(dirname(process.execPath));
if (!process.env.npm_config_nodedir && existsSync(join(prefix, 'include/node/node.h'))) {
  process.env.npm_config_nodedir = prefix;
}

module.exports = { hooks: {} };
