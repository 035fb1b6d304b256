package result

// Group is fault sets that are one in some respect: but for the rounds of the faults; but
// for these and the names of processes that the program does not tell apart; or in what
// they break and what their faults do.
type Group struct {
	Number int          `json:"number"`         // from 1, in the order of the first sets
	First  int          `json:"first"`          // the number of the first set in the list, from 1
	Sets   int          `json:"sets"`           // how many sets of the list belong to it
	Text   string       `json:"text"`           // what they have in common; where names count, with those of the first
	Same   List[string] `json:"same,omitempty"` // the other names under which it is the same: c for b; none in groups by cause, which names do not count for
}
