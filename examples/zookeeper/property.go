package zookeeper

import "github.com/lineage-driven/ldfi/specs/property/rules"

// Same is what is asked of the harness H_div: in the end all servers have the same values.
var Same = rules.New("same-state", `
violation(P, Q) :- state(P, A, _, R), state(Q, B, _, R), A < B.
violation(P, Q) :- state(P, _, A, R), state(Q, _, B, R), A < B.
`)

// Explained is what is asked of the harness H_sc: if all have the same values in the
// end, some order of the requests gives them. k0 is 200 only if k1 was 101, and k1 is
// never 0 again then.
var Explained = rules.New("sequential-consistency", `
differs(R) :- state(_, A, _, R), state(_, B, _, R), A < B.
differs(R) :- state(_, _, A, R), state(_, _, B, R), A < B.
violation(P, B) :- state(P, 200, B, R), B != 101, !differs(R).
`)
