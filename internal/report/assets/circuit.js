// The circuit of a program: which facts hold, which messages are sent and what is broken,
// under any set of fault units. How it is written says the package provenance/explain (Circuit); what
// becomes of a message is what internal/schedules says (Environment.Fates).

const openedCircuits = new WeakMap();

// openCircuit reads the circuit of a page, once.
function openCircuit(page) {
  let circuit = openedCircuits.get(page.circuit);
  if (!circuit) {
    circuit = readCircuit(page);
    openedCircuits.set(page.circuit, circuit);
  }
  return circuit;
}

// circuitUnits returns the faults and choices that can be on or off, in the order of
// schedules in normal form.
function circuitUnits(page) {
  return openCircuit(page).units;
}

// evaluateCircuit returns what happens when some units are on, of which `on` has one number
// each: an execution as those of the page, with the verdict; `within` says which bound is
// exceeded, "" if none is; and `impossible` why nothing happens, as no such schedule makes
// sense ("" otherwise; then there is no more).
function evaluateCircuit(page, on) {
  const circuit = openCircuit(page);
  const faults = onlyLongest(circuit.units.filter((_, unit) => on[unit]));
  const result = {schedule: faults.map((f) => f.text).join('; '), faults, facts: [], messages: [], notes: [], broken: [], first: '', verdict: '', within: '', impossible: ''};
  const environment = new Environment(page, circuit, faults);
  result.impossible = senseless(page, circuit, faults, environment);
  result.within = exceeded(circuit, faults, result.schedule);
  if (!result.impossible && result.within && page.circuit.pruned) {
    result.impossible = `${result.schedule}: what happens beyond the bounds is not known here`;
  }
  if (result.impossible) {
    return result;
  }
  const truth = circuit.truth(on);
  result.facts = factsIn(circuit, truth);
  result.messages = messagesIn(page, circuit, truth, environment);
  for (const goal of circuit.goals) {
    if (truth(goal.literal)) {
      result.notes.push({round: goal.round, text: goal.note});
      result.broken.push(goal.text);
      result.first ||= goal.fact;
    }
  }
  if (page.circuit.promised) {
    result.verdict = result.broken.length > 0 ? 'violated' : 'holds';
  }
  return result;
}

// readCircuit takes the numbers apart.
function readCircuit(page) {
  const next = numbersOf(page.circuit.data);
  const units = [];
  for (let unit = 0; unit < page.circuit.units; unit++) {
    units.push(readUnit(page, next));
  }
  const count = next();
  const first = units.length + 1;
  const high = new Uint32Array(count);
  const low = new Uint32Array(count);
  for (let gate = 0; gate < count; gate++) {
    high[gate] = 2 * (first + gate) - next();
    low[gate] = high[gate] - next();
  }
  const readRuns = runReader(next);
  const facts = [];
  for (let left = next(), atom = 0; left > 0; left--) {
    atom += next();
    facts.push({atom, runs: readRuns()});
  }
  const links = [];
  for (let left = next(); left > 0; left--) {
    const atom = next();
    const from = next() - 1;
    const to = next() - 1;
    links.push({atom, from, to, runs: readRuns()});
  }
  const goals = [];
  for (let left = next(); left > 0; left--) {
    goals.push(readGoal(page, next));
  }
  // truth returns a function that tells whether a literal is true when some units are on.
  const truth = (on) => {
    const values = new Uint8Array(first + count);
    for (let unit = 0; unit < units.length; unit++) {
      values[unit + 1] = on[unit] ? 1 : 0;
    }
    for (let gate = 0; gate < count; gate++) {
      values[first + gate] = (values[high[gate] >> 1] ^ (high[gate] & 1)) & (values[low[gate] >> 1] ^ (low[gate] & 1));
    }
    return (literal) => (values[literal >> 1] ^ (literal & 1)) === 1;
  };
  const {kinds, both, least = 0, kernel = false} = page.circuit;
  const single = (page.circuit.single || []).map((group) => group.map((unit) => units[unit]));
  return {units, facts, links, goals, truth, kinds, both, single, least, kernel, reliable: new Set(page.circuit.reliable || [])};
}

// numbersOf returns a function that returns one number after the other.
function numbersOf(data) {
  const bytes = atob(data);
  let at = 0;
  return () => {
    let number = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes.charCodeAt(at++);
      number += (byte & 127) * scale;
      if (!(byte >= 128)) { // also at the end
        return number;
      }
    }
  };
}

// runReader returns a function that reads the runs of an atom.
function runReader(next) {
  let literal = 0;
  return () => {
    const runs = [];
    for (let left = next(), end = 0; left > 0; left--) {
      const first = end + next();
      end = first + next();
      const change = next();
      literal += change & 1 ? -(change + 1) / 2 : change / 2;
      runs.push({first, last: end, literal});
    }
    return runs;
  };
}

// readUnit reads a fault or choice.
function readUnit(page, next) {
  const kind = page.circuit.kinds[next()];
  const unit = {text: '', kind: kind.word, process: next() - 1, to: next() - 1, round: next(), until: next(), by: next(), detail: ''};
  const detail = next();
  if (detail > 0) {
    unit.detail = page.circuit.details[detail - 1];
  }
  const process = page.names[unit.process];
  let what = process;
  if (kind.shape === 'detail') {
    what = unit.detail;
  } else if (kind.shape !== 'process') {
    what = `${process}>${page.names[unit.to]}`;
  }
  unit.text = `${kind.word} ${what}@${unit.round}`;
  if (kind.lasts) {
    unit.until = Math.max(unit.until, unit.round);
    if (unit.until > unit.round) {
      unit.text += `..${unit.until}`;
    }
  }
  unit.of = '';
  if (detail > 0 && (kind.shape === 'link' || kind.shape === 'later')) {
    unit.of = unit.detail;
    unit.text += `/${unit.of}`;
  }
  if (kind.shape === 'later') {
    unit.text += `+${unit.by}`;
  }
  if (kind.word === 'partition') {
    unit.side = sideOf(page, unit.detail);
  }
  return unit;
}

// sideOf returns the processes on one side of a partition.
function sideOf(page, detail) {
  const [one, other] = detail.split('|');
  return (one === '*' ? other : one).split(',').map((name) => page.names.indexOf(name));
}

// readGoal reads a way to break the promise.
function readGoal(page, next) {
  const round = next();
  const fact = page.atoms.text[next()];
  const missing = next();
  const phase = (page.phases || [])[round - 1];
  let text = `${fact} ${missing ? 'is missing' : 'holds'} at round ${round}${phase ? ` (${phase})` : ''}`;
  if (missing === 2) {
    text += ` while ${page.atoms.text[next()]} holds`;
  }
  return {round, fact: `${fact}@${round}`, note: missing ? `no ${fact}` : fact, text, literal: next()};
}

// onlyLongest leaves of faults that last, strike the same and overlap the one that begins first.
function onlyLongest(faults) {
  const until = new Map();
  const longest = faults.filter((f) => {
    if (!lasts(f)) {
      return true;
    }
    const struck = [f.kind, f.process, f.to, f.detail].join(' ');
    if (f.round <= (until.get(struck) || 0)) {
      return false;
    }
    until.set(struck, f.until);
    return true;
  });
  return longest.filter((f) => !f.of || !longest.some((g) => !g.of && covers(g, f)));
}

// covers tells whether what a fault does to the messages of a kind another one does to all.
function covers(g, f) {
  const same = g.kind === f.kind && g.process === f.process && g.to === f.to && g.by === f.by;
  return same && (f.kind === 'cut' ? g.round <= f.round && f.until <= g.until : g.round === f.round);
}

function lasts(f) {
  return f.kind === 'isolate' || f.kind === 'partition' || f.kind === 'cut';
}

// exceeded says which bound some faults exceed, "" if none.
function exceeded(circuit, faults, schedule) {
  const count = (word) => faults.filter((f) => f.kind === word).length;
  const said = (n, kind) => `${n} ${n === 1 ? kind.noun : kind.plural}`;
  for (const kind of circuit.kinds) {
    const n = count(kind.word);
    if (kind.most >= 0 && n > kind.most) {
      return `${said(n, kind)}, where the bounds allow ${kind.most} (${kind.bound}): ${schedule}`;
    }
  }
  const {both} = circuit;
  if (both && count('isolate') + count('partition') > both.most) {
    const named = (word) => circuit.kinds.find((kind) => kind.word === word);
    return `${said(count('isolate'), named('isolate'))} and ${said(count('partition'), named('partition'))}, where the bounds allow ${both.most} of both (${both.bound}): ${schedule}`;
  }
  return hitTwice(faults);
}

// hitTwice says which link is hit twice in a round, or phase, in messages of several kinds.
function hitTwice(faults) {
  if (!faults.some((f) => f.of)) {
    return '';
  }
  for (const [i, f] of faults.entries()) {
    const other = faults.slice(0, i).find((g) => g.process === f.process && g.to === f.to && sameHit(g, f));
    if (other) {
      return `${other.text}; ${f.text}: the bounds allow one hit of a link in a round, or phase: of all messages, or of one kind`;
    }
  }
  return '';
}

// sameHit tells whether two faults of one link are two hits where bounds allow one.
function sameHit(f, g) {
  const later = (kind) => kind === 'delay' || kind === 'duplicate';
  if (f.kind === 'cut' && g.kind === 'cut') {
    return f.of !== g.of && f.until === g.until;
  }
  if (f.round !== g.round) {
    return false;
  }
  if (f.kind === 'omit' || later(f.kind) && f.kind === g.kind) {
    return g.kind === 'omit' || later(g.kind);
  }
  return g.kind === 'omit' && later(f.kind);
}

// senseless says why there are no such faults together, "" if there may be.
function senseless(page, circuit, faults, environment) {
  return choicesApart(circuit, faults) || lateOnce(page, faults) || inTurn(page, faults) || granted(page, circuit, environment);
}

// choicesApart says which choices exclude each other.
function choicesApart(circuit, faults) {
  for (const single of circuit.single) {
    const chosen = faults.filter((f) => single.includes(f));
    if (chosen.length > 1) {
      return `${chosen[0].text}; ${chosen[1].text}: of these one alone can be chosen`;
    }
  }
  return '';
}

// lateOnce says what cannot happen to the same messages.
function lateOnce(page, faults) {
  const why = {
    delay: 'what a process sends another in a round comes late by one number of rounds',
    duplicate: 'what a process sends another in a round comes once more, not several times',
  };
  const struck = new Map();
  const key = (kind, f, of) => [kind, f.process, f.to, f.round, of].join(' ');
  const by = (kind, f) => struck.get(key(kind, f, f.of)) || struck.get(key(kind, f, ''));
  const widest = [...faults.filter((f) => !f.of), ...faults.filter((f) => f.of)];
  for (const f of widest) {
    const other = by(f.kind, f);
    if (why[f.kind] && other && other.by !== f.by) {
      return `${other.text}; ${f.text}: ${why[f.kind]}`;
    }
    struck.set(key(f.kind, f, f.of), f);
  }
  const either = 'what is lost comes neither late nor twice';
  for (const f of faults) {
    const lost = by('omit', f);
    if (why[f.kind] && lost) {
      return `${lost.text}; ${f.text}: ${either}`;
    }
  }
  for (const f of faults) {
    const late = by('delay', f) || by('duplicate', f);
    if (f.kind === 'omit' && late) {
      return `${f.text}; ${late.text}: ${either}`;
    }
  }
  return '';
}

// inTurn says that a process crashes that is down, or restarts that is up.
function inTurn(page, faults) {
  const moments = faults.filter((f) => f.kind === 'crash' || f.kind === 'restart');
  const name = (f) => page.names[f.process];
  moments.sort((f, g) => (name(f) > name(g)) - (name(f) < name(g)) || f.round - g.round || (f.kind > g.kind) - (f.kind < g.kind));
  for (let i = 0; i < moments.length; i++) {
    const f = moments[i];
    const before = i > 0 && moments[i - 1].process === f.process ? moments[i - 1] : undefined;
    if (f.kind === 'crash' && before && before.kind === 'crash') {
      return `${f.text}: ${name(f)} has crashed in round ${before.round} already`;
    }
    if (f.kind === 'restart' && !before) {
      return `${f.text}: ${name(f)} has not crashed before`;
    }
    if (f.kind === 'restart' && before.kind === 'restart') {
      return `${f.text}: ${name(f)} has restarted in round ${before.round} already`;
    }
  }
  return '';
}

// granted says in which round less is received than the bounds take for granted.
function granted(page, circuit, environment) {
  const {least, kernel} = circuit;
  if (environment.faults.length === 0 || least < 2 && !page.circuit.ownLost && !kernel) {
    return '';
  }
  for (let round = 1; round <= page.eot; round++) {
    const up = page.names.map((_, p) => p).filter((p) => !environment.down(p, round));
    for (const p of up) {
      const from = up.filter((q) => environment.delivers(q, p, round)).length;
      if (from < least) {
        return `in round ${round} ${page.names[p]} receives from ${from === 1 ? '1 process' : `${from} processes`}, itself included, and each takes ${least} for granted (deliver=${page.circuit.deliver})`;
      }
    }
    const exchanges = (k, p) => environment.delivers(k, p, round) && environment.delivers(p, k, round);
    if (kernel && !up.some((k) => up.every((p) => exchanges(k, p)))) {
      return `in round ${round} no process exchanges messages with all others (kernel=${page.circuit.core})`;
    }
  }
  return '';
}

// Environment knows which messages faults lose.
class Environment {
  constructor(page, circuit, faults) {
    this.faults = faults;
    this.eot = page.eot;
    this.processes = page.names.length;
    this.reliable = circuit.reliable;
    this.stops = Boolean(page.circuit.stops);
    this.ownLost = Boolean(page.circuit.ownLost);
    this.known = new Map();
  }

  // back is the round in which a process that crashes restarts; one after the last if it does not.
  back(crash) {
    let back = this.eot + 1;
    for (const f of this.faults) {
      if (f.kind === 'restart' && f.process === crash.process && f.round >= crash.round) {
        back = Math.min(back, f.round);
      }
    }
    return back;
  }

  down(process, round) {
    return this.faults.some((f) => f.kind === 'crash' && f.process === process && f.round <= round && round < this.back(f));
  }

  // loses tells whether one fault alone loses what a process (-1: nobody) sends to another in a
  // round: messages of a kind ('': of none that a fault hits alone).
  loses(f, from, to, round, of = '') {
    if (f.of && f.of !== of) {
      return false;
    }
    const spared = this.reliable.has(from * this.processes + to);
    const within = f.round <= round && round <= Math.max(f.until, f.round);
    switch (f.kind) {
      case 'crash': {
        if (round < f.round || round >= this.back(f)) {
          return false;
        }
        if (from < 0 || from === to) {
          return this.stops && to === f.process;
        }
        return from === f.process || this.stops && to === f.process;
      }
      case 'isolate':
        if (!within || from < 0) {
          return false;
        }
        if (from === to) {
          return this.ownLost && to === f.process;
        }
        return !spared && (from === f.process || to === f.process);
      case 'partition':
        return within && from >= 0 && !spared && f.side.includes(from) !== f.side.includes(to);
      case 'omit':
      case 'delay':
        return f.round === round && from === f.process && to === f.to;
      case 'cut':
        return within && from === f.process && to === f.to;
      default:
        return false;
    }
  }

  delivers(from, to, round) {
    return !this.faults.some((f) => this.loses(f, from, to, round));
  }

  // lost returns the number of the fault because of which what another one lets arrive later does not, -1 if it arrives.
  lost(later, of) {
    const at = later.round + later.by;
    return this.faults.findIndex((f) => this.severs(f, later, of) || this.loses(f, -1, later.to, at, of));
  }

  // severs tells whether a fault loses on its way what another one lets arrive later.
  severs(f, later, of) {
    if (f.kind === 'delay' || f.kind === 'duplicate' || !this.loses(f, later.process, later.to, later.round, of)) {
      return false;
    }
    return f.kind !== 'crash' || f.process === later.process;
  }

  // fates returns what becomes of a message of a kind that is sent on a link in a round, in the order in
  // which it is recorded: when it arrives (0: at once), and the number of the fault that loses it, or -1.
  fates(from, to, round, kind) {
    const of = this.faults.some((f) => f.of === kind) ? kind : '';
    const key = `${(round * (this.processes + 1) + from + 1) * this.processes + to} ${of}`;
    let fates = this.known.get(key);
    if (!fates) {
      fates = this.newFates(from, to, round, of);
      this.known.set(key, fates);
    }
    return fates;
  }

  newFates(from, to, round, of) {
    let first = {arrival: 0, cause: this.faults.findIndex((f) => this.loses(f, from, to, round, of))};
    const postponed = (f) => {
      const cause = this.lost(f, of);
      return {arrival: cause < 0 ? f.round + f.by : 0, cause};
    };
    const later = this.faults.filter((f) => f.by > 0 && f.round === round && f.process === from && f.to === to && (!f.of || f.of === of));
    for (const f of later.filter((g) => g.kind === 'delay')) {
      first = postponed(f);
    }
    const fates = [first];
    for (const f of later.filter((g) => g.kind === 'duplicate')) {
      const again = postponed(f);
      if (again.cause < 0 || first.cause < 0) {
        fates.push(again); // otherwise it is lost as a whole
      }
    }
    return fates.sort((a, b) => a.arrival - b.arrival);
  }
}

// factsIn returns the runs of rounds in which atoms hold.
function factsIn(circuit, truth) {
  const facts = [];
  for (const {atom, runs} of circuit.facts) {
    let open = false; // the last run is of this atom
    for (const run of runs) {
      if (!truth(run.literal)) {
        continue;
      }
      if (open && facts[facts.length - 1] === run.first - 1) {
        facts[facts.length - 1] = run.last;
      } else {
        facts.push(atom, run.first, run.last);
      }
      open = true;
    }
  }
  return facts;
}

// messagesIn returns the messages, in the order in which they are recorded.
function messagesIn(page, circuit, truth, environment) {
  const byRound = Array.from({length: page.eot + 1}, () => []);
  for (const {atom, from, to, runs} of circuit.links) {
    const [kind] = page.atoms.text[atom].split('(', 1);
    for (const run of runs) {
      if (!truth(run.literal)) {
        continue;
      }
      for (let round = run.first; round <= run.last; round++) {
        for (const {arrival, cause} of environment.fates(from, to, round, kind)) {
          byRound[round].push(atom, from, to, round, arrival, cause);
        }
      }
    }
  }
  return byRound.flat();
}
