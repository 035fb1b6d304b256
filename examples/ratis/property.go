package ratis

import "github.com/lineage-driven/ldfi/specs/property/rules"

// Leader is P1: in the end there is a leader.
var Leader = rules.New("P1 leader", `
pre("a leader").
post("a leader") :- leads(_, _, _).
`)

// Entries is P2: in the end all servers have all entries of the leader.
var Entries = rules.New("P2 entries", `
lacks(F) :- leads(L, _, R), entry(L, I, T, C, R), up(F, _, R), !entry(F, I, T, C, R).
pre(F) :- up(F, _, _).
post(F) :- up(F, _, _), !lacks(F).
`)

// Answers is P3: whoever asks gets an answer in the end.
var Answers = rules.New("P3 answers", `
pre(ID) :- request(_, ID, _, _).
post(ID) :- reply(_, ID, _, _).
`)
