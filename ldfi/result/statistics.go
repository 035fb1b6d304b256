package result

// Statistics describe the whole executions of a search by figures that other work has
// in its tables beside the number of bugs (Drăgoi, Enea, Ozkan, Majumdar and Niksic,
// "Testing consensus implementations using communication closure", OOPSLA 2020, Tables
// 2 to 5).
type Statistics struct {
	Executions int `json:"executions"` // the number of executions that the figures are about

	Rounds       Figure `json:"rounds"`
	QuorumRounds Figure `json:"quorum_rounds"` // rounds in which some majority exchanged messages without a loss
	Phases       Figure `json:"phases"`        // the phases, of Bounds.Period rounds each
	QuorumPhases Figure `json:"quorum_phases"` // phases in all of whose rounds the same majority did so
	Sent         Figure `json:"sent"`          // messages
	Arrived      Figure `json:"arrived"`       // messages
}

// Figure summarises a number that each execution has.
type Figure struct {
	Mean   float64 `json:"mean"`   // the mean of all executions
	Median float64 `json:"median"` // half of the executions have no more
	Least  int     `json:"least"`  // the smallest
	Most   int     `json:"most"`   // the largest
}
