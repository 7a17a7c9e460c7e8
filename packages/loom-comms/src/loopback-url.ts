const OWN_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * The address of a chat server on this machine, from foreign text; undefined for anything else, so that no goal ever
 * leaves the machine. `localhost` becomes a number: what a name means is not ours to trust. Other paths than `/mcp`
 * are refused: the file that names a server must not make us post to some other local service.
 */
export function loopbackUrl(text: string): URL | undefined {
  const url = parse(text.trim());
  if (url?.protocol !== 'http:' || !OWN_NAMES.includes(url.hostname)) return undefined;
  if (url.username || url.password || url.search || url.hash) return undefined;
  if (!['/', '/mcp'].includes(url.pathname)) return undefined;
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1';
  url.pathname = '/mcp';
  return url;
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
