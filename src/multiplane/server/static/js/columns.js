// The columns of CoNLL text: the words, the name and the text of a sentence. All else is the server's business.

/** The columns of each format: those of a word's form, head and label. SDP has no trees. */
const COLUMNS = {
  conllu: { form: 1, head: 6, deprel: 7 },
  conllx: { form: 1, head: 6, deprel: 7 },
  conll08: { form: 1, head: 8, deprel: 9 },
  conll09: { form: 1, head: 8, deprel: 10 },
  sdp: { form: 1, head: -1, deprel: -1 },
};

/** Returns the columns of a format; of an unknown one, those of CoNLL-U. */
export function columnsOf(format) {
  return COLUMNS[format] ?? COLUMNS.conllu;
}

/** Returns the format of a text by the number of its columns, as the server does. */
export function formatOfText(text) {
  if (text.startsWith("#SDP")) return "sdp";
  const row = /^\d[^\n]*/m.exec(text)?.[0] ?? "";
  const size = row.split("\t").length;
  return size >= 14 ? "conll09" : size >= 11 ? "conll08" : "conllu";
}

/** Returns the words of a sentence: {id, form, head, deprel}; multiword ranges and empty nodes are not words. */
export function wordsOf(text, format) {
  const { form, head, deprel } = columnsOf(format);
  const words = [];
  for (const line of text.split("\n")) {
    const fields = line.replace(/\r$/, "").split("\t");
    if (/^\d+$/.test(fields[0])) {
      words.push({
        id: Number(fields[0]),
        form: fields[form] ?? "",
        head: Number(fields[head] ?? NaN),
        deprel: fields[deprel] ?? "",
      });
    }
  }
  return words;
}

/** Returns the value of a comment such as `# text = …`, or null. */
export function commentOf(text, name) {
  const found = new RegExp(`^# ?${name} ?= ?(.*)$`, "m").exec(text);
  return found ? found[1].trim() : null;
}

/** Returns the name of a sentence: its sent_id, or SDP's `#22000001`; null if it has none. */
export function sentIdOf(text, format) {
  if (format === "sdp") return /^#(\d+)\s*$/m.exec(text)?.[1] ?? null;
  return commentOf(text, "sent_id");
}

/** Returns the text of a sentence: its comment, or its words with spaces between them. */
export function plainTextOf(text, format) {
  return commentOf(text, "text") || wordsOf(text, format).map((word) => word.form).join(" ");
}
