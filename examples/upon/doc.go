// Package upon makes processes of protocols that are written by events: upon most
// messages of a kind in a round, do something and send the next. From the rules follow
// the lock-step rounds in which such a protocol can be executed, or why there are
// none.
//
// A message carries a tag: the round of the protocol that it belongs to, and its kind.
// A protocol is closed by communication if each process goes through the tags in one
// order, and acts upon messages of the tag that it is at alone. Then every message of
// a tag can be sent and received in one lock-step round of its own: what comes later
// would not be read. (A. Damian, C. Drăgoi, A. Militaru, J. Widder:
// Communication-closed asynchronous protocols, CAV 2019.)
//
//	p := upon.Protocol[voter]{
//		Start: upon.Rule[voter]{Sends: []upon.Tag{{Kind: "estimate"}}, Do: ...},
//		Rules: []upon.Rule[voter]{
//			{Name: "adopt", Kind: "estimate", Count: upon.Majority, Sends: []upon.Tag{{Kind: "estimate", Round: 1}}, Do: ...},
//		},
//	}
//	rounds, err := p.Rounds() // which rounds these are, or why there are none
//	s := &system.System{Rounds: rounds.Of(3), New: rounds.New, ...}
//
// In a lock-step round a process gets what arrives of its tag, and does what the first
// rule says that has enough of it; if none has, what a rule says on timeout, or nothing.
// A process that did nothing in a round takes part in later ones all the same, as soon
// as it gets enough of their messages.
package upon
