// The server's JSON API. Addresses are relative, so that the page also works below a prefix of a proxy.

/** What the server answered instead of a result: `message` is a sentence for the reader. */
export class ApiError extends Error {
  constructor(message, status = 0, line = null) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.line = line;
  }
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new ApiError("The server is not responding. Check that “multiplane serve” is still running, then try again.");
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

async function problemOf(response) {
  const fallback = `The server answered ${response.status} ${response.statusText}`.trim() + ".";
  try {
    const { error, line } = await response.json();
    return new ApiError(error ?? fallback, response.status, line ?? null);
  } catch {
    return new ApiError(fallback, response.status);
  }
}

function post(path, body, { signal } = {}) {
  return request(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal });
}

const json = (path) => async (body, options) => (await post(path, body, options)).json();
const get = (path) => async (options = {}) => (await request(path, options)).json();

export const api = {
  models: get("api/models"),
  systems: get("api/systems"),
  systemCoverage: get("api/coverage"),
  /** The bundled treebank, as a Blob. */
  sample: async (options = {}) => (await request("api/sample", options)).blob(),
  parse: json("api/parse"),
  sentences: json("api/sentences"),
  derivation: json("api/derivation"),
  compare: json("api/compare"),
  convert: json("api/convert"),
  /** The drawing itself, as text. */
  draw: async (body, options) => (await post("api/draw", body, options)).text(),
  /** The columns of a treebank; `bytes`: a Blob or an ArrayBuffer of CoNLL text, or of gzip if `gzip` is set. */
  treebank: async (bytes, { format = null, gzip = false, signal } = {}) => {
    const headers = { "Content-Type": "application/octet-stream", ...(gzip ? { "Content-Encoding": "gzip" } : {}) };
    const query = format ? `?format=${encodeURIComponent(format)}` : "";
    return (await request(`api/treebank${query}`, { method: "POST", headers, body: bytes, signal })).json();
  },
};
