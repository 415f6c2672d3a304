// Examples to click: texts for the bundled models, and trees of the sample treebank that comes with the package.

const columns = (...rows) => `${rows.map((row) => row.replaceAll(/ +/g, "\t")).join("\n")}\n\n`;

export const DUTCH = `# sent_id = nl-001
# text = Ze vertelde dat de buurman zijn dochter de hond hielp wassen.
# text_en = She said that the neighbour helped his daughter wash the dog.
${columns(
  "1 Ze ze PRON _ Case=Nom|Gender=Fem|Number=Sing|Person=3|PronType=Prs 2 nsubj _ Gloss=she",
  "2 vertelde vertellen VERB _ Mood=Ind|Number=Sing|Tense=Past|VerbForm=Fin 0 root _ Gloss=told",
  "3 dat dat SCONJ _ _ 10 mark _ Gloss=that",
  "4 de de DET _ Definite=Def|PronType=Art 5 det _ Gloss=the",
  "5 buurman buurman NOUN _ Gender=Com|Number=Sing 10 nsubj _ Gloss=neighbour",
  "6 zijn zijn PRON _ Person=3|Poss=Yes|PronType=Prs 7 nmod:poss _ Gloss=his",
  "7 dochter dochter NOUN _ Gender=Com|Number=Sing 10 obj _ Gloss=daughter",
  "8 de de DET _ Definite=Def|PronType=Art 9 det _ Gloss=the",
  "9 hond hond NOUN _ Gender=Com|Number=Sing 11 obj _ Gloss=dog",
  "10 hielp helpen VERB _ Mood=Ind|Number=Sing|Tense=Past|VerbForm=Fin 2 ccomp _ Gloss=helped",
  "11 wassen wassen VERB _ VerbForm=Inf 10 xcomp _ Gloss=wash|SpaceAfter=No",
  "12 . . PUNCT _ _ 2 punct _ _",
)}`;

export const LATIN = `# sent_id = la-001
# text = Fessus amoena gravi canit hospes carmina voce.
# text_en = A weary guest is singing lovely songs in a deep voice.
${columns(
  "1 Fessus fessus ADJ _ Case=Nom|Gender=Masc|Number=Sing 5 amod _ Gloss=weary",
  "2 amoena amoenus ADJ _ Case=Acc|Gender=Neut|Number=Plur 6 amod _ Gloss=lovely",
  "3 gravi gravis ADJ _ Case=Abl|Gender=Fem|Number=Sing 7 amod _ Gloss=deep",
  "4 canit cano VERB _ Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin|Voice=Act 0 root _ Gloss=sings",
  "5 hospes hospes NOUN _ Case=Nom|Gender=Masc|Number=Sing 4 nsubj _ Gloss=guest",
  "6 carmina carmen NOUN _ Case=Acc|Gender=Neut|Number=Plur 4 obj _ Gloss=songs",
  "7 voce vox NOUN _ Case=Abl|Gender=Fem|Number=Sing 4 obl _ Gloss=voice|SpaceAfter=No",
  "8 . . PUNCT _ _ 4 punct _ _",
)}`;

const ARABIC = `# sent_id = ar-001
# text = كتبت الطالبة رسالة إلى أمها.
# text_en = The student wrote a letter to her mother.
${columns(
  "1 كتبت كَتَبَ VERB _ Aspect=Perf|Gender=Fem|Number=Sing|Person=3|Voice=Act 0 root _ Gloss=wrote",
  "2 الطالبة طَالِبَة NOUN _ Case=Nom|Definite=Def|Gender=Fem|Number=Sing 1 nsubj _ Gloss=the.student",
  "3 رسالة رِسَالَة NOUN _ Case=Acc|Definite=Ind|Gender=Fem|Number=Sing 1 obj _ Gloss=letter",
  "4 إلى إِلَى ADP _ _ 5 case _ Gloss=to",
  "5-6 أمها _ _ _ _ _ _ _ SpaceAfter=No",
  "5 أم أُمّ NOUN _ Case=Gen|Definite=Cons|Gender=Fem|Number=Sing 1 obl:arg _ Gloss=mother",
  "6 ها هُوَ PRON _ Case=Gen|Gender=Fem|Number=Sing|Person=3|PronType=Prs 5 nmod _ Gloss=her",
  "7 . . PUNCT _ _ 1 punct _ _",
)}`;

// CoNLL-2009, with predicates and their arguments.
const QUESTION = columns(
  "1 Who who who WP WP _ _ 9 9 obj obj _ _ _ ARG1",
  "2 did do do VBD VBD _ _ 5 5 aux aux _ _ _ _",
  "3 the the the DT DT _ _ 4 4 det det _ _ _ _",
  "4 neighbours neighbour neighbour NNS NNS _ _ 5 5 nsubj nsubj _ _ ARG0 _",
  "5 say say say VB VB _ _ 0 0 root root Y say.01 _ _",
  "6 that that that IN IN _ _ 9 9 mark mark _ _ _ _",
  "7 the the the DT DT _ _ 8 8 det det _ _ _ _",
  "8 storm storm storm NN NN _ _ 9 9 nsubj nsubj _ _ _ ARG0",
  "9 frightened frighten frighten VBD VBD _ _ 5 5 ccomp ccomp Y frighten.01 ARG1 _",
  "10 ? ? ? . . _ _ 5 5 punct punct _ _ _ _",
);

// Enhanced dependencies: the audience also waits, begins and sings, in arcs that cross.
const ENHANCED = `# sent_id = en-017
# text = After the lights went out, the audience laughed, waited and finally began to sing.
${columns(
  "1 After after SCONJ IN _ 4 mark 4:mark _",
  "2 the the DET DT Definite=Def|PronType=Art 3 det 3:det _",
  "3 lights light NOUN NNS Number=Plur 4 nsubj 4:nsubj _",
  "4 went go VERB VBD Mood=Ind|Tense=Past|VerbForm=Fin 9 advcl 9:advcl:after _",
  "5 out out ADP RP _ 4 compound:prt 4:compound:prt SpaceAfter=No",
  "6 , , PUNCT , _ 4 punct 4:punct _",
  "7 the the DET DT Definite=Def|PronType=Art 8 det 8:det _",
  "8 audience audience NOUN NN Number=Sing 9 nsubj 9:nsubj|11:nsubj|14:nsubj|16:nsubj:xsubj _",
  "9 laughed laugh VERB VBD Mood=Ind|Tense=Past|VerbForm=Fin 0 root 0:root SpaceAfter=No",
  "10 , , PUNCT , _ 11 punct 11:punct _",
  "11 waited wait VERB VBD Mood=Ind|Tense=Past|VerbForm=Fin 9 conj 9:conj:and _",
  "12 and and CCONJ CC _ 14 cc 14:cc _",
  "13 finally finally ADV RB _ 14 advmod 14:advmod _",
  "14 began begin VERB VBD Mood=Ind|Tense=Past|VerbForm=Fin 9 conj 9:conj:and _",
  "15 to to PART TO _ 16 mark 16:mark _",
  "16 sing sing VERB VB VerbForm=Inf 14 xcomp 14:xcomp SpaceAfter=No",
  "17 . . PUNCT . _ 9 punct 9:punct _",
)}`;

/** Each: a title, what is to be seen, and the state of the parse view. `language`: the model to prefer for a text. */
export const EXAMPLES = [
  {
    title: "English",
    about: "a text whose last sentence has crossing arcs",
    language: "en",
    state: {
      text: "Economic news had little effect on financial markets. She said that the letters didn't arrive yesterday.\n\nThe committee has a plan which I think is good.",
    },
  },
  { title: "Portuguese", about: "a question with crossing arcs", language: "pt", state: { text: "O que você acha que devemos fazer?" } },
  { title: "Semantic roles", about: "syntax and semantics, in CoNLL-2009", state: { conllu: QUESTION, layer: "both" } },
  { title: "Enhanced", about: "enhanced dependencies: verbs share their subject", state: { conllu: ENHANCED, layer: "enhanced" } },
  { title: "Dutch verbs", about: "2 planes: cross-serial dependencies", state: { conllu: DUTCH } },
  { title: "Latin verse", about: "4 planes: adjectives far from their nouns", state: { conllu: LATIN } },
  { title: "Arabic", about: "drawn from right to left", state: { conllu: ARABIC } },
];
