package property

import (
	"strings"

	"github.com/lineage-driven/ldfi/internal/datalog"
)

// Agreement returns the property that all facts relation(process, value) have the same
// value, whichever process reports them, in whatever round. In a violation
//
//	violation(P, V, Q, W)
//
// P reports V and Q reports W; P and Q are one process if it changes its mind.
func Agreement(relation string) Property {
	return about("agreement on "+relation, relation, `
RELATION_value(P, V) :- RELATION(P, V, _);
violation(P, V, Q, W) :- RELATION_value(P, V), RELATION_value(Q, W), before(P, Q), V != W;
violation(P, V, P, W) :- RELATION_value(P, V), RELATION_value(P, W), V != W;
`)
}

// AgreementPerKey returns the property that all facts relation(process, key, value)
// with the same key have the same value: no two processes apply different commands at
// one index of a log, say. In a violation
//
//	violation(Key, P, V, Q, W)
//
// P reports V and Q reports W; P and Q are one process if it changes its mind.
func AgreementPerKey(relation string) Property {
	return about("agreement on "+relation, relation, perKey)
}

const perKey = `
RELATION_value(P, K, V) :- RELATION(P, K, V, _);
violation(K, P, V, Q, W) :- RELATION_value(P, K, V), RELATION_value(Q, K, W), before(P, Q), V != W;
violation(K, P, V, P, W) :- RELATION_value(P, K, V), RELATION_value(P, K, W), V != W;
`

// PrefixOrder returns the property that the outputs of any two processes are the same
// as far as both go: relation(process, index, value) is the output number index of a
// process. Indexes are integers that may begin anywhere. In a violation
//
//	violation(Index, P, V, Q, W)
//
// P's output number Index is V and Q's is W, or P skips Index, and V is "nothing".
func PrefixOrder(relation string) Property {
	return about("prefix order of "+relation, relation, perKey+`
RELATION_before(P, I - 1) :- RELATION_value(P, I, _);
violation(J, P, "nothing", Q, W) :- RELATION_before(P, J), RELATION_value(Q, J, W), notin RELATION_value(P, J, _);
`)
}

// UniquePerTerm returns the property that no two facts relation(process, term), such as
// leader(process, term), of one term are of different processes. In a violation
//
//	violation(Term, P, Q)
//
// both P and Q report Term.
func UniquePerTerm(relation string) Property {
	p := about("one "+relation+" per term", relation, `
RELATION_term(P, T) :- RELATION(P, T, _);
violation(T, P, Q) :- RELATION_term(P, T), RELATION_term(Q, T), before(P, Q);
`)
	p.CrashedCounts = true
	return p
}

// about returns a property that Dedalus rules judge, about the relation of the
// system that they call RELATION.
func about(name, relation, rules string) Property {
	return Property{Name: name, Rules: datalog.Dedalus(name, strings.ReplaceAll(rules, "RELATION", datalog.TableName(relation)))}
}
