package cassandra

import "github.com/lineage-driven/ldfi/specs/property/rules"

// NoReturn is what serializability asks for here: no transaction is committed
// again once another was committed after it. Of a violation
//
//	violation(Transaction, First, Second)
//
// the transaction was committed with the ballots First and Second, and another
// one with a ballot in between.
var NoReturn = rules.New("no-return", `
commit(B, T) :- committed(_, B, T, _).
violation(T, A, C) :- commit(A, T), commit(B, U), commit(C, T), A < B, B < C, T != U.
`)
