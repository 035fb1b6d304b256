package result

// Statistics is what executions of a search were like, as far as they were whole ones: what
// tables of other work have beside the number of bugs (Drăgoi, Enea, Ozkan, Majumdar and
// Niksic, "Testing consensus implementations using communication closure", OOPSLA 2020,
// Tables 2 to 5).
type Statistics struct {
	Executions int `json:"executions"` // of which these are the figures

	Rounds       Figure `json:"rounds"`
	QuorumRounds Figure `json:"quorum_rounds"` // in which some majority exchanged messages without a loss
	Phases       Figure `json:"phases"`        // of Bounds.Period rounds
	QuorumPhases Figure `json:"quorum_phases"` // in all of whose rounds one majority did
	Sent         Figure `json:"sent"`          // messages
	Arrived      Figure `json:"arrived"`       // messages
}

// Figure is a number that executions have each.
type Figure struct {
	Mean   float64 `json:"mean"`   // the mean of all executions
	Median float64 `json:"median"` // half of the executions have no more
	Least  int     `json:"least"`  // the smallest
	Most   int     `json:"most"`   // the largest
}
