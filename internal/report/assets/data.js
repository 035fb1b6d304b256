// The data of the page, as internal/report/page.go says what is in it.

const page = JSON.parse(document.getElementById('data').textContent);
const atoms = page.atoms;

for (const world of page.executions) prepare(world);

// prepare makes of an execution what the scripts want to look up.
function prepare(world) {
  world.faults ||= [];
  world.notes ||= [];
  world.facts ||= [];
  world.messages ||= [];
  world.byRound = messagesByRound(world.messages);
  return world;
}

// messagesByRound has the messages of each round as objects, made when they are needed.
function messagesByRound(messages) {
  const places = new Map();
  for (let i = 0; i < messages.length; i += 6) {
    const round = messages[i + 3];
    if (!places.has(round)) places.set(round, []);
    places.get(round).push(i);
  }
  return (round) => (places.get(round) || []).map((i) => ({
    atom: messages[i], from: messages[i + 1], to: messages[i + 2], round,
    arrival: messages[i + 4], lost: messages[i + 5] !== -1, cause: messages[i + 5],
  }));
}

// causeOf is the fault that loses a message, null if it is not known.
function causeOf(world, message) {
  if (message.cause >= 0) return world.faults[message.cause];
  return world.faults.find((f) => loses(f, message)) || null;
}

// loses tells whether a fault is one of those that lose a message.
function loses(fault, message) {
  const during = fault.round <= message.round && message.round <= (fault.until || fault.round);
  switch (fault.kind) {
    case 'omit': case 'cut': return fault.process === message.from && fault.to === message.to && during;
    case 'isolate': return (fault.process === message.from || fault.process === message.to) && during;
    case 'partition': return message.from >= 0 && during && fault.side.includes(message.from) !== fault.side.includes(message.to);
    case 'crash': return fault.process === message.from && fault.round <= message.round;
    default: return false;
  }
}

// factsAt returns the atoms that hold in a round, as a set.
function factsAt(world, round) {
  const all = new Set();
  const runs = world.facts;
  for (let i = 0; i < runs.length; i += 3) {
    if (runs[i + 1] <= round && round <= runs[i + 2]) all.add(runs[i]);
  }
  return all;
}

// stopped tells whether a process has crashed by a round, or by its end.
function stopped(world, process, round, end) {
  let down = 0;
  let up = 0;
  for (const f of world.faults) {
    if (f.process !== process || f.round > round) continue;
    if (f.kind === 'crash' && f.within) {
      if (end || f.round < round) down = Math.max(down, f.round + 1);
    } else if (f.kind === 'crash') down = Math.max(down, f.round);
    else if (f.kind === 'restart') up = Math.max(up, f.round);
  }
  return down > up;
}

// lasting returns the fault that lasts at a process in a round, undefined if there is none.
// A partition is at all processes.
function lasting(world, process, round) {
  const until = (f) => f.until || (f.kind === 'isolate' || f.kind === 'partition' ? f.round : 0);
  return world.faults.find((f) => f.round <= round && round <= until(f) && f.kind !== 'cut' && (f.kind === 'partition' || f.process === process));
}

// apartFrom names those on the other side of a partition.
function apartFrom(partition, process) {
  const side = partition.side.includes(process);
  return page.names.filter((_, p) => partition.side.includes(p) !== side).join(', ');
}

// conditionOf says what a fault that lasts means for a process.
function conditionOf(fault, process) {
  return fault.kind === 'partition' ? `cut off from ${apartFrom(fault, process)} (${fault.text})` : fault.text;
}

const nameOf = (process) => (process >= 0 ? page.names[process] : 'nobody');
const relationOf = (atom) => page.relations[atoms.relation[atom]];
const phaseOf = (round) => (page.phases && page.phases[round - 1]) || '';
const roundName = (round) => `Round ${round} of ${page.eot}${phaseOf(round) ? ` (${phaseOf(round)})` : ''}`;

// saying is what stands at the arrow of a message.
const servers = new Set(['http', 'grpc', 'tls', 'tcp', 'udp']);
function saying(message) {
  const name = relationOf(message.atom).name;
  return page.system && servers.has(name) ? atoms.text[message.atom] : name;
}

// telling are the arguments by which the messages of a relation differ, without those that
// are who sends them or to whom they go.
function telling(message) {
  if (page.system) return '';
  const of = argumentsOf(message.atom);
  return differing(atoms.relation[message.atom]).filter((k) => k < of.length).map((k) => of[k]).join(', ');
}

// argumentsOf are the arguments of an atom as they are written.
function argumentsOf(atom) {
  if (!argumentLists.has(atom)) {
    const text = atoms.text[atom];
    const parts = text.slice(text.indexOf('(') + 1, -1).match(/(?:"(?:[^"\\]|\\.)*"|[^,])+/g) || [];
    argumentLists.set(atom, parts.map((part) => part.trim()));
  }
  return argumentLists.get(atom);
}

const argumentLists = new Map();

// differing are the places of the arguments by which the messages of a relation differ.
function differing(relation) {
  if (!differences.size) {
    const places = new Map(); // by relation and place: what was seen there
    for (const world of page.executions) {
      for (let i = 0; i < world.messages.length; i += 6) {
        const [atom, from, to] = world.messages.slice(i, i + 3);
        argumentsOf(atom).forEach((argument, k) => {
          const key = `${atoms.relation[atom]} ${k}`;
          if (!places.has(key)) places.set(key, { values: new Set(), sender: true, receiver: true });
          const place = places.get(key);
          place.values.add(argument);
          place.sender &&= argument === page.names[from];
          place.receiver &&= argument === page.names[to];
        });
      }
    }
    atoms.relation.forEach((r, atom) => argumentsOf(atom).forEach((argument, k) => { // and what other faults would make of them
      if (places.has(`${r} ${k}`)) places.get(`${r} ${k}`).values.add(argument);
    }));
    page.relations.forEach((_, r) => differences.set(r, []));
    for (const [key, place] of places) {
      const [r, k] = key.split(' ').map(Number);
      if (place.values.size > 1 && !place.sender && !place.receiver) differences.get(r).push(k);
    }
    for (const all of differences.values()) all.sort((a, b) => a - b);
  }
  return differences.get(relation) || [];
}

const differences = new Map();

// fate says what becomes of a message.
function fate(world, message) {
  if (message.lost) {
    const cause = causeOf(world, message);
    return cause ? `is lost (${cause.text})` : 'is lost';
  }
  if (message.arrival > page.eot) return 'does not arrive by the end';
  return message.arrival ? `arrives in round ${message.arrival}` : 'arrives';
}

// FEWEST is how often a fault loses a message of a system that is drawn once for all.
const FEWEST = 4;

// lossOf says what is drawn of a message that is lost, as rounds/diagram does: of the same that
// one fault loses again and again only the first, and the first few of many of a kind. Where
// more was lost, text says how much.
function lossOf(world, message) {
  if (!page.system || !message.lost || message.cause < 0 || world.faults[message.cause].kind === 'omit') return { text: '' };
  world.losses ||= losses(world);
  return world.losses.get(`${likeness(message)} ${message.round}`);
}

const likeness = (m) => JSON.stringify([m.from, m.to, m.cause, saying(m)]);

function losses(world) {
  const all = new Map(); // by what is said and the round
  const same = new Map(); // by what is said
  for (let round = 1; round <= page.eot; round++) {
    for (const m of world.byRound(round)) {
      const like = likeness(m);
      if (!m.lost || m.cause < 0 || all.has(`${like} ${round}`)) continue;
      if (!same.has(like)) same.set(like, []);
      const loss = { kind: JSON.stringify([m.from, m.to, m.cause, atoms.relation[m.atom]]), round, times: 1, last: round, text: '' };
      same.get(like).push(loss);
      all.set(`${like} ${round}`, loss);
    }
  }
  for (const list of same.values()) {
    if (list.length < FEWEST) continue;
    for (const loss of list.slice(1)) loss.hidden = true;
    Object.assign(list[0], { times: list.length, last: list.at(-1).round, text: `${list.length} times, rounds ${list[0].round} to ${list.at(-1).round}` });
  }
  const kinds = new Map();
  for (const loss of all.values()) if (!loss.hidden) kinds.set(loss.kind, [...(kinds.get(loss.kind) || []), loss]);
  for (const list of kinds.values()) {
    if (list.length <= 2 * FEWEST) continue;
    const rest = list.slice(FEWEST);
    for (const loss of rest) loss.hidden = true;
    const more = rest.reduce((n, loss) => n + loss.times, 0);
    const shown = list[FEWEST - 1];
    shown.text = [shown.text, `then ${more} more of its kind, until round ${Math.max(...rest.map((loss) => loss.last))}`].filter(Boolean).join(', ');
  }
  return all;
}

// keyOf is a number that two messages share that are the same.
function keyOf(m) {
  const n = page.names.length + 1;
  return ((m.atom * n + m.from + 1) * n + m.to + 1) * (page.eot + 1) + m.round;
}

// arrived is the set of the messages of an execution that arrive, or are sent.
function arrived(world, sent) {
  const name = sent ? 'sentKeys' : 'arrivedKeys';
  if (!world[name]) {
    world[name] = new Set();
    for (let round = 1; round <= page.eot; round++) {
      for (const m of world.byRound(round)) if (sent || !m.lost) world[name].add(keyOf(m));
    }
  }
  return world[name];
}
