// The proof for any number of rounds: which of its sentences some facts break that somebody
// thinks a round could have.

// factsOf reads facts, as what is known of each: that it is there, or with "not" that it is not.
function factsOf(text) {
  const known = new Map();
  let depth = 0;
  let fact = '';
  for (const c of `${text};`) {
    if (c === ';' || (c === ',' && depth <= 0)) {
      const not = /^\s*not\s/.test(fact);
      const name = bare(not ? fact.replace(/^\s*not\s/, '') : fact);
      if (name) known.set(name, !not);
      fact = '';
      continue;
    }
    depth += (c === '(') - (c === ')');
    fact += c;
  }
  return known;
}

// bare is a fact without quotes and spaces.
const bare = (fact) => fact.replace(/["\s]/g, '');

// breaks returns the sentences that the facts break together, by what follows from each: the
// numbers of those that are needed, or none.
function breaks(sentences, known) {
  const clauses = sentences.flatMap((s, i) => s.clauses.map((c) => ({ sentence: i, literals: c.map((l) => (l.startsWith('not ') ? [bare(l.slice(4)), false] : [bare(l), true])) })));
  const by = new Map(); // the clause that a fact follows from
  const used = (clause, all = new Set()) => {
    all.add(clause.sentence);
    for (const [fact] of clause.literals) {
      const from = by.get(fact);
      if (from && from !== clause) used(from, all);
    }
    return all;
  };
  for (let more = true; more;) {
    more = false;
    for (const clause of clauses) {
      if (clause.literals.some(([fact, there]) => known.get(fact) === there)) continue;
      const open = clause.literals.filter(([fact]) => !known.has(fact));
      if (!open.length) return [...used(clause)].sort((a, b) => a - b);
      if (open.length > 1) continue;
      known.set(...open[0]);
      by.set(open[0][0], clause);
      more = true;
    }
  }
  return [];
}

// askProof asks for facts and says which sentences they break.
function askProof(sentences) {
  const spoken = new Set(sentences.flatMap((s) => s.clauses.flat().map((l) => bare(l.replace(/^not /, '')))));
  const said = el('div', { class: 'said', 'aria-live': 'polite' });
  const say = (text, ...rest) => said.replaceChildren(el('p', { class: 'about' }, text), ...rest);
  const asked = el('input', { type: 'search', id: 'feared', placeholder: 'fact; not fact', 'aria-label': 'Facts after a round',
    input: () => {
      const known = factsOf(asked.value);
      const strange = [...known.keys()].filter((fact) => !spoken.has(fact));
      if (!known.size) return said.replaceChildren();
      if (strange.length) return say(`No sentence speaks of ${strange.join(', ')}.`);
      const broken = breaks(sentences, known);
      if (!broken.length) return say('No sentence is found that forbids it: a round may end so, or may not. The key b of ldfi explore asks further.');
      return say('No round ends with these facts together: they break', el('ul', { class: 'list' }, broken.map((i) => el('li', {}, sentences[i].text))));
    } });
  return el('div', { class: 'feared' }, el('h3', {}, 'Can a round end so?'),
    el('p', { class: 'about' }, 'Facts that you think a round could end with, as the sentences write them; "not" before one says that it is not there.'), asked, said);
}
