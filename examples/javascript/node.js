// A primary that stores a value on its backups, as a node of ldfi's step protocol
// (docs/wire.md). With "early" it acknowledges the value before a backup has it.
const readline = require('node:readline');

const early = process.argv.includes('early');
let backups, value, confirmed, acknowledged, answers;

const handlers = {
  start({ node, nodes, durable }) {
    backups = node === nodes[0] ? nodes.slice(1) : [];
    value = backups.length ? 'x' : durable;
    [confirmed, acknowledged, answers] = [new Set(), false, []];
    return { again: true };
  },

  send() {
    const answer = { send: answers, facts: [] };
    if (backups.length && !acknowledged && (early || confirmed.size)) {
      acknowledged = true;
      answer.facts.push(['acknowledged', value]);
    } else if (backups.length) {
      answer.send = backups.filter((b) => !confirmed.has(b)).map((to) => ({ to, kind: 'copy', args: [value] }));
    } else if (value) {
      answer.facts.push(['has', value]);
    }
    answers = [];
    return answer;
  },

  receive({ messages }) {
    for (const { from, kind, args } of messages) {
      if (kind === 'copy') {
        value = args[0];
        answers.push({ to: from, kind: 'stored', args: [] });
      } else {
        confirmed.add(from);
      }
    }
    return backups.length ? {} : { durable: value };
  },
};

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line);
  console.log(JSON.stringify({ id: request.id, ...handlers[request.do](request) }));
});
