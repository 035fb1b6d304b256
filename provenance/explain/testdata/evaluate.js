// Answers each line that it reads, which is a page and sets of units in JSON, with a line that
// says what circuit.js says of them.
// usage: node evaluate.js circuit.js
'use strict';
const fs = require('fs');
const readline = require('readline');

const code = fs.readFileSync(process.argv[2], 'utf8');
const {evaluateCircuit, circuitUnits} = new Function(`'use strict';\n${code}\nreturn {evaluateCircuit, circuitUnits};`)();

readline.createInterface({input: process.stdin}).on('line', (line) => {
  const {page, sets} = JSON.parse(line);
  const units = circuitUnits(page);
  const results = sets.map((set) => {
    const on = new Uint8Array(units.length);
    for (const unit of set) {
      on[unit] = 1;
    }
    const result = evaluateCircuit(page, on);
    return {...result, faults: result.faults.map((f) => f.text)};
  });
  process.stdout.write(JSON.stringify({units: units.map((unit) => unit.text), results}) + '\n');
});
