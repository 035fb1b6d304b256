package result

// Group is a group of fault sets that are equal but for the rounds of the faults; or
// but for these and the names of processes that the program does not tell apart; or in
// what they break and what their faults do.
type Group struct {
	Number int          `json:"number"`         // from 1, in the order of the first sets
	First  int          `json:"first"`          // the number of the first set in the list, from 1
	Sets   int          `json:"sets"`           // how many sets of the list belong to it
	Text   string       `json:"text"`           // what the sets have in common; where names matter, with the names of the first set
	Same   List[string] `json:"same,omitempty"` // the renamings of processes that give the other sets: c for b; none in groups by cause, which ignore names
}
